package io.millrace.codec;

/**
 * A source of the codec that an engine uses if its builder names none. Implementations are found
 * with {@link java.util.ServiceLoader}.
 */
public interface CodecProvider {

  /** Returns the name of the artifact, such as {@code millrace-jackson3}. */
  String artifact();

  /** Returns the rank among several providers; the highest is used. */
  int rank();

  /**
   * Returns a codec with the default rules.
   *
   * @throws CodecException if a library is missing; the message says which
   */
  Codec create();
}
