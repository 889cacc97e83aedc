package io.millrace.definition;

import java.util.Optional;

/** What to do when a wait is over. The same rules as for {@link StateHandler} hold. */
@FunctionalInterface
public interface WaitHandler {

  /**
   * Decides where to go.
   *
   * @param signal the awaited signal; empty when the wait timed out
   */
  Next handle(StateContext ctx, Optional<ReceivedSignal> signal) throws Exception;
}
