package io.millrace.definition;

import io.millrace.retry.RetryPolicy;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A definition without its code, stored so that any node can show it. Times are in milliseconds.
 *
 * @param secrets the fields of its instances that are stored encrypted; null for none
 * @param input the declared fields of the input; null for none
 */
public record DefinitionDocument(
    String type,
    int version,
    @Nullable String description,
    List<StateEntry> states,
    List<Transition> transitions,
    @Nullable SecretFields secrets,
    @Nullable List<InputField> input) {

  /** A state without its handler. */
  public record StateEntry(
      String name,
      String type,
      int maxAttempts,
      long firstRetryDelay,
      @Nullable Long timeout,
      @Nullable EntryConditionEntry entrance) {

    /** Returns the awaited signal; null for none. */
    public @Nullable String signal() {
      return entrance == null ? null : entrance.signal;
    }

    /** Returns the longest wait for the signal in milliseconds; null for no limit. */
    public @Nullable Long signalTimeout() {
      return entrance == null ? null : entrance.signalTimeout;
    }

    /** Returns the channel over which instances come; null for none. */
    public @Nullable String channel() {
      return entrance == null ? null : entrance.channel;
    }
  }

  /** The condition under which a state's handler runs: a signal or a message over a channel. */
  public record EntryConditionEntry(
      @Nullable String signal, @Nullable Long signalTimeout, @Nullable String channel) {}

  /** Returns the document that is stored for a definition. */
  public static DefinitionDocument of(WorkflowDefinition definition) {
    return new DefinitionDocument(
        definition.type(),
        definition.version(),
        definition.description().orElse(null),
        definition.states().values().stream().map(DefinitionDocument::entry).toList(),
        definition.transitions(),
        definition.secretFields().any() ? definition.secretFields() : null,
        definition.input().isEmpty() ? null : definition.input());
  }

  /**
   * Returns the document of a JSON text.
   *
   * @throws io.millrace.codec.CodecException if it is not the text of a document
   */
  public static DefinitionDocument parse(String json) {
    return DefinitionText.read(json);
  }

  /** Returns the document as JSON text, which is the same for equal documents. */
  public String json() {
    return DefinitionText.write(this);
  }

  /** Returns the fields that are stored encrypted. */
  public SecretFields secrecy() {
    return secrets == null ? SecretFields.NONE : secrets;
  }

  /**
   * Returns the target states by source, failure transitions included. A state that declares no
   * transition is missing from the map, since it may go to any state.
   */
  public Map<String, Set<String>> permitted() {
    Map<String, Set<String>> targets = new TreeMap<>();
    for (Transition transition : transitions) {
      if (!transition.failure()) {
        targets.computeIfAbsent(transition.from(), from -> new TreeSet<>()).add(transition.to());
      }
    }
    for (Transition transition : transitions) {
      targets.computeIfPresent(
          transition.from(),
          (from, permitted) -> {
            permitted.add(transition.to());
            return permitted;
          });
    }
    return targets;
  }

  /** Returns the name of the state in which instances start. */
  public String startState() {
    return start().name();
  }

  /** Returns the channel of the start state; null for none. */
  public @Nullable String startChannel() {
    return start().channel();
  }

  private StateEntry start() {
    return states.stream()
        .filter(s -> Objects.equals(s.type(), StateType.START.code()))
        .findFirst()
        .orElseThrow();
  }

  private static StateEntry entry(State state) {
    RetryPolicy retry = state.retry();
    return new StateEntry(
        state.name(),
        state.type().code(),
        retry.maxAttempts(),
        retry.firstDelay().toMillis(),
        state.timeout() == null ? null : state.timeout().toMillis(),
        entrance(state));
  }

  private static @Nullable EntryConditionEntry entrance(State state) {
    return switch (state.entrance()) {
      case null -> null;
      case State.Await await ->
          new EntryConditionEntry(
              await.signal(), await.timeout() == null ? null : await.timeout().toMillis(), null);
      case State.Channel channel -> new EntryConditionEntry(null, null, channel.name());
    };
  }
}
