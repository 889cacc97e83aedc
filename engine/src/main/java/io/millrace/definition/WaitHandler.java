package io.millrace.definition;

import java.util.Optional;

/**
 * The handler of a state that waits, called when the wait is over. The rules of {@link
 * StateHandler} hold.
 */
@FunctionalInterface
public interface WaitHandler {

  /**
   * Decides where to go.
   *
   * @param signal the awaited signal; empty when the wait timed out
   */
  Next handle(StateContext ctx, Optional<ReceivedSignal> signal) throws Exception;
}
