package io.millrace.definition;

/**
 * An interceptor that wraps every attempt, which is a call of a handler, for example to open a
 * transaction or a span. Interceptors run in the order in which they were registered. Must be
 * thread-safe.
 */
@FunctionalInterface
public interface AttemptInterceptor {

  /** The rest of the chain. */
  @FunctionalInterface
  interface Chain {
    Next proceed() throws Exception;
  }

  /** Returns the result of {@code chain}, or another one. */
  Next intercept(StateContext ctx, Chain chain) throws Exception;
}
