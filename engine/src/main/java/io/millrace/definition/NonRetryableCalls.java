package io.millrace.definition;

import java.util.function.Supplier;

/**
 * Marks calls of a handler whose failure another attempt cannot heal. The contexts that handlers
 * and interceptors are given are one.
 */
public interface NonRetryableCalls {

  /**
   * Runs a call that depends on nothing but its arguments and what is stored. When the handler
   * throws the exception of the call, or one that it caused, the attempt is not retried.
   */
  <T> T callNonRetryable(Supplier<T> call);
}
