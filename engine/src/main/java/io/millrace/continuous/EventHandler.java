package io.millrace.continuous;

import io.millrace.definition.Next;
import io.millrace.definition.StateContext;

/** Does what an event asks for. Thread-safe; called again for the same event after a fault. */
@FunctionalInterface
public interface EventHandler {

  /**
   * Handles an event in one attempt.
   *
   * @throws Exception when it fails; it is tried again as any step
   */
  Next handle(StateContext context, TriggerEvent event) throws Exception;
}
