package io.millrace.definition;

import java.util.function.Supplier;

/**
 * A context that can mark calls of a handler whose failure another attempt cannot fix. The contexts
 * of handlers and interceptors implement it.
 */
public interface NonRetryableCalls {

  /**
   * Runs a call that depends only on its arguments and on stored data. If the handler throws the
   * exception of the call, or one that it caused, the attempt is not retried.
   */
  <T> T callNonRetryable(Supplier<T> call);
}
