package io.millrace;

import io.millrace.definition.DefinitionDocument;
import io.millrace.definition.DefinitionDocument.StateEntry;
import io.millrace.instance.Due;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.Position;
import io.millrace.store.OperatorCommand;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The transition of an instance that an operator moves to a state; depends on the state's type
 * only.
 */
final class ManualTransitions {

  private ManualTransitions() {}

  static OperatorCommand.Move to(
      String name, @Nullable String expectedState, DefinitionDocument definition) {
    StateEntry state = find(name, definition);
    String signal = state.signal();
    return switch (state.type()) {
      case "end" ->
          new OperatorCommand.Move(
              name, InstanceStatus.FINISHED, new Due.Never(), null, expectedState);
      case "manual" ->
          new OperatorCommand.Move(
              name, InstanceStatus.MANUAL, new Due.Never(), null, expectedState);
      default ->
          signal == null
              ? new OperatorCommand.Move(
                  name, InstanceStatus.IN_PROGRESS, Due.NOW, null, expectedState)
              : new OperatorCommand.Move(
                  name,
                  InstanceStatus.IN_PROGRESS,
                  timeout(state),
                  Position.signal(signal),
                  expectedState);
    };
  }

  private static Due timeout(StateEntry state) {
    Long millis = state.signalTimeout();
    return millis == null ? new Due.Never() : new Due.After(Duration.ofMillis(millis));
  }

  private static StateEntry find(String name, DefinitionDocument definition) {
    return definition.states().stream()
        .filter(s -> s.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new InvalidRequestException(
                "Workflow '"
                    + definition.type()
                    + "' version "
                    + definition.version()
                    + " has no state '"
                    + name
                    + "'; it has "
                    + definition.states().stream().map(StateEntry::name).toList()
                    + "."));
  }
}
