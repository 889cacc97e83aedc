package io.millrace.jackson3;

import io.millrace.codec.Codec;
import io.millrace.codec.CodecProvider;

/** Offers {@link Jackson3Codec} to engines whose builder names no codec. */
public final class Jackson3CodecProvider implements CodecProvider {

  private static final int RANK = 3;

  @Override
  public String artifact() {
    return "millrace-jackson3";
  }

  @Override
  public int rank() {
    return RANK;
  }

  @Override
  public Codec create() {
    return new Jackson3Codec();
  }
}
