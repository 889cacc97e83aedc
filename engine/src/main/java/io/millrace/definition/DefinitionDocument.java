package io.millrace.definition;

import io.millrace.retry.RetryPolicy;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A definition without its code: what is stored so that any node can show it. Times are in
 * milliseconds.
 *
 * @param secrets what of its instances is stored encrypted; null for nothing
 * @param input what is declared of the input; null for nothing
 */
public record DefinitionDocument(
    String type,
    int version,
    @Nullable String description,
    List<StateEntry> states,
    List<Transition> transitions,
    @Nullable Secrecy secrets,
    @Nullable List<InputField> input) {

  /** A state without its handler. */
  public record StateEntry(
      String name,
      String type,
      int maxAttempts,
      long firstRetryDelay,
      @Nullable Long timeout,
      @Nullable String signal,
      @Nullable Long signalTimeout) {}

  /** What is to be stored of {@code definition}. */
  public static DefinitionDocument of(WorkflowDefinition definition) {
    return new DefinitionDocument(
        definition.type(),
        definition.version(),
        definition.description().orElse(null),
        definition.states().values().stream().map(DefinitionDocument::entry).toList(),
        definition.transitions(),
        definition.secrecy().any() ? definition.secrecy() : null,
        definition.input().isEmpty() ? null : definition.input());
  }

  /** What of its instances is stored encrypted. */
  public Secrecy secrecy() {
    return secrets == null ? Secrecy.NONE : secrets;
  }

  /** The name of the state in which instances begin. */
  public String startState() {
    return states.stream()
        .filter(s -> Objects.equals(s.type(), StateType.START.code()))
        .findFirst()
        .orElseThrow()
        .name();
  }

  private static StateEntry entry(State state) {
    RetryPolicy retry = state.retry();
    State.Await await = state.await();
    return new StateEntry(
        state.name(),
        state.type().code(),
        retry.maxAttempts(),
        retry.firstDelay().toMillis(),
        state.timeout() == null ? null : state.timeout().toMillis(),
        await == null ? null : await.signal(),
        await == null || await.timeout() == null ? null : await.timeout().toMillis());
  }
}
