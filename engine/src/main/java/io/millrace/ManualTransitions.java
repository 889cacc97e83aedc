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
      String name, @Nullable String expectedState, DefinitionDocument definition, boolean forced) {
    StateEntry state = find(name, definition);
    String signal = state.signal();
    InstanceStatus status =
        switch (state.type()) {
          case "end" -> InstanceStatus.FINISHED;
          case "manual" -> InstanceStatus.MANUAL;
          default -> InstanceStatus.IN_PROGRESS;
        };
    Due due =
        status != InstanceStatus.IN_PROGRESS
            ? new Due.Never()
            : signal == null ? Due.NOW : timeout(state);
    return new OperatorCommand.Move(
        name,
        status,
        due,
        signal == null ? null : Position.signal(signal),
        expectedState,
        new OperatorCommand.MoveLimits(definition.permitted(), forced));
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
