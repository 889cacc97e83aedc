package io.millrace.codec;

/** Writes values as JSON text and reads them back. Implementations are thread-safe. */
public interface Codec {

  /**
   * The value as JSON text.
   *
   * @throws CodecException when it cannot be written, is over a limit of size or depth, or holds
   *     half of a surrogate pair
   */
  String encode(Object value);

  /**
   * The value that {@code json} holds.
   *
   * @throws CodecException when the text is no JSON or does not fit {@code type}
   */
  <T> T decode(String json, Class<T> type);
}
