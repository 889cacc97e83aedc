package io.millrace.definition;

import java.util.Optional;

/**
 * The handler of a state that waits, called when the wait is over. The rules of {@link
 * StateHandler} apply.
 */
@FunctionalInterface
public interface WaitHandler {

  /**
   * Decides on the next transition.
   *
   * @param signal the awaited signal; empty if the wait timed out
   */
  Next handle(StateContext ctx, Optional<ReceivedSignal> signal) throws Exception;
}
