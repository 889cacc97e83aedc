package io.millrace.definition;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A workflow definition: a type, a version, and states with their handlers. Immutable and
 * thread-safe; instances keep the version with which they were started.
 */
public final class WorkflowDefinition {

  private final String type;
  private final int version;
  private final @Nullable String description;
  private final Map<String, State> states;
  private final List<Transition> transitions;
  private final SecretFields secretFields;
  private final List<InputField> input;

  WorkflowDefinition(
      String type,
      int version,
      @Nullable String description,
      Map<String, State> states,
      List<Transition> transitions,
      SecretFields secretFields,
      List<InputField> input) {
    this.type = type;
    this.version = version;
    this.description = description;
    this.states = Collections.unmodifiableMap(new LinkedHashMap<>(states));
    this.transitions = List.copyOf(transitions);
    this.secretFields = secretFields;
    this.input = List.copyOf(input);
  }

  /** Starts a definition whose states are named by text. */
  public static WorkflowDefinitionBuilder<String> of(String type) {
    return new WorkflowDefinitionBuilder<>(type, name -> name, List.of());
  }

  /** Starts a definition with one state for each constant of {@code states}. */
  public static <S extends Enum<S>> WorkflowDefinitionBuilder<S> of(String type, Class<S> states) {
    return new WorkflowDefinitionBuilder<>(type, Enum::name, List.of(states.getEnumConstants()));
  }

  public String type() {
    return type;
  }

  public int version() {
    return version;
  }

  public Optional<String> description() {
    return Optional.ofNullable(description);
  }

  /** Returns the states by name, in the order of their declaration. */
  public Map<String, State> states() {
    return states;
  }

  /**
   * Returns the declared transitions, failure transitions included. A state without any may go to
   * any state.
   */
  public List<Transition> transitions() {
    return transitions;
  }

  /** Returns the fields of its instances that are stored encrypted. */
  public SecretFields secretFields() {
    return secretFields;
  }

  /** Returns the declared fields of the input; empty if none are declared. */
  public List<InputField> input() {
    return input;
  }

  /** Returns the state in which instances start: the first declared as start. */
  public State startState() {
    return states.values().stream()
        .filter(s -> s.type() == StateType.START)
        .findFirst()
        .orElseThrow();
  }

  /** Returns the state of this name; null if there is none. */
  public @Nullable State state(String name) {
    return states.get(name);
  }

  /** Returns true if a handler of {@code from} may answer with {@code to}. */
  public boolean permits(String from, String to) {
    boolean open = true;
    for (Transition transition : transitions) {
      if (!transition.failure() && transition.from().equals(from)) {
        if (transition.to().equals(to)) {
          return true;
        }
        open = false;
      }
    }
    return open;
  }

  @Override
  public String toString() {
    return type + " version " + version;
  }
}
