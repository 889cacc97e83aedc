package io.millrace.codec;

import java.lang.reflect.Type;

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
   * Returns the value that {@code json} holds, as an object of {@code type}: a class or a type with
   * arguments, such as that of a {@link TypeRef}.
   *
   * @throws CodecException if the text is not JSON or does not fit {@code type}
   */
  Object decode(String json, Type type);

  /**
   * Returns the value that {@code json} holds.
   *
   * @throws CodecException if the text is not JSON or does not fit {@code type}
   */
  default <T> T decode(String json, Class<T> type) {
    return decode(json, TypeRef.of(type));
  }

  /**
   * Returns the value that {@code json} holds.
   *
   * @throws CodecException if the text is not JSON or does not fit {@code type}
   */
  @SuppressWarnings(
      "unchecked") // an implementation returns an object of the type that it was given
  default <T> T decode(String json, TypeRef<T> type) {
    return (T) decode(json, type.type());
  }
}
