package io.millrace.definition;

import io.millrace.codec.TypeRef;
import org.jspecify.annotations.Nullable;

/**
 * A context that can read a part of its instance's input as a type. The contexts of handlers and
 * interceptors implement it.
 */
public interface InputPartReader {

  /**
   * Returns a part of the input, which was read as a map. If the handler throws the exception of
   * this call, the attempt is not retried.
   *
   * @param what for messages, for example "The payload of the event"
   * @throws io.millrace.codec.CodecException if it does not fit {@code type}
   */
  <T> T inputPart(String what, @Nullable Object part, TypeRef<T> type);
}
