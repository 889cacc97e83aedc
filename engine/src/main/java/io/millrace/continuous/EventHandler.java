package io.millrace.continuous;

import io.millrace.definition.Next;
import io.millrace.definition.StateContext;

/** A handler of events. Must be thread-safe; called again for the same event after a failure. */
@FunctionalInterface
public interface EventHandler {

  /**
   * Handles an event in one attempt.
   *
   * @throws Exception if it fails; it is retried like any attempt
   */
  Next handle(StateContext context, TriggerEvent event) throws Exception;
}
