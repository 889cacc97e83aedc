package io.millrace.codec;

/** Writes values as JSON text and reads them back. Implementations are thread-safe. */
public interface Codec {

  /**
   * Returns the value as JSON text.
   *
   * @throws CodecException if it cannot be written, is over a limit of size or depth, or holds half
   *     of a surrogate pair
   */
  String encode(Object value);

  /**
   * Returns the value that {@code json} holds.
   *
   * @throws CodecException if the text is not JSON or does not fit {@code type}
   */
  <T> T decode(String json, Class<T> type);
}
