package io.millrace.definition;

/**
 * Wraps every handler call, for example to open a transaction or a span. Interceptors run in the
 * order in which they were registered. Must be thread-safe.
 */
@FunctionalInterface
public interface StepInterceptor {

  /** The rest of the chain. */
  @FunctionalInterface
  interface Chain {
    Next proceed() throws Exception;
  }

  /** Answers with the result of {@code chain}, or with another. */
  Next intercept(StateContext ctx, Chain chain) throws Exception;
}
