package io.millrace.jackson2;

import io.millrace.codec.Codec;
import io.millrace.codec.CodecProvider;

/** Offers {@link Jackson2Codec} to engines whose builder names no codec. */
public final class Jackson2CodecProvider implements CodecProvider {

  private static final int RANK = 2;

  @Override
  public String artifact() {
    return "millrace-jackson2";
  }

  @Override
  public int rank() {
    return RANK;
  }

  @Override
  public Codec create() {
    return new Jackson2Codec();
  }
}
