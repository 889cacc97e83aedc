package io.millrace.definition;

/**
 * The work of a state. It may run more than once, so its outside effects should be wrapped in
 * {@link StateContext#once} or carry the {@link StateContext#idempotencyKey}. One handler object
 * serves all instances: it must be thread-safe.
 */
@FunctionalInterface
public interface StateHandler {

  /**
   * Does the work.
   *
   * @return the next transition of the instance; never null
   * @throws Exception any exception is a failed attempt, which changes nothing and is retried by
   *     the state's policy
   */
  Next handle(StateContext ctx) throws Exception;
}
