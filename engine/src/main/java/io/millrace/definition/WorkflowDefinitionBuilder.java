package io.millrace.definition;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import io.millrace.retry.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A builder of {@link WorkflowDefinition}. Not thread-safe.
 *
 * @param <S> the type of state names: an enum or text
 */
public final class WorkflowDefinitionBuilder<S> {

  /** Retry policy of ten attempts, from one second to one hour apart. */
  public static final RetryPolicy DEFAULT_RETRY =
      RetryPolicy.exponential(Duration.ofSeconds(1), Duration.ofHours(1));

  private final String type;
  private final Function<S, String> namer;
  private final List<S> required;
  private final Map<String, Draft> drafts = new LinkedHashMap<>();
  private final List<Transition> transitions = new ArrayList<>();
  private final Map<String, Options> options = new LinkedHashMap<>();
  private final Set<String> secrets = new TreeSet<>();
  private boolean secretInput;
  private List<InputField> input = List.of();
  private int version = 1;
  private @Nullable String description;
  private RetryPolicy retry = DEFAULT_RETRY;
  private @Nullable String failureState;
  private boolean cpuBound;

  private record Draft(
      StateType type, @Nullable StateHandler handler, State.@Nullable Await await) {}

  private static final class Options {
    private @Nullable RetryPolicy retry;
    private @Nullable Duration timeout;
    private @Nullable String failureState;
    private @Nullable String channel;
    private boolean cpuBound;
  }

  WorkflowDefinitionBuilder(String type, Function<S, String> namer, List<S> required) {
    this.type = type;
    this.namer = namer;
    this.required = required;
  }

  /** Adds a state in which instances start; the first one declared is the default. */
  public WorkflowDefinitionBuilder<S> start(S state, StateHandler handler) {
    return add(state, new Draft(StateType.START, handler(state, handler), null));
  }

  /** Adds a state that does work. */
  public WorkflowDefinitionBuilder<S> state(S state, StateHandler handler) {
    return add(state, new Draft(StateType.NORMAL, handler(state, handler), null));
  }

  /** Adds a state that waits for a signal without a limit. */
  public WorkflowDefinitionBuilder<S> await(S state, String signal, WaitHandler handler) {
    return add(state, waiting(signal, null, handler));
  }

  /** Adds a state that waits for a signal for at most {@code timeout}. */
  public WorkflowDefinitionBuilder<S> await(
      S state, String signal, Duration timeout, WaitHandler handler) {
    return add(state, waiting(signal, timeout, handler));
  }

  private static Draft waiting(String signal, @Nullable Duration timeout, WaitHandler handler) {
    requirePresent(handler, "The handler for the end of the wait for '" + signal + "'");
    StateHandler whenOver =
        ctx -> {
          Optional<ReceivedSignal> received = ctx.signal(signal);
          return handler.handle(ctx, received);
        };
    return new Draft(StateType.WAIT, whenOver, new State.Await(signal, timeout));
  }

  /** Adds a state in which a person decides; an operator moves the instance on. */
  public WorkflowDefinitionBuilder<S> manual(S state) {
    return add(state, new Draft(StateType.MANUAL, null, null));
  }

  /** Adds a state in which instances end as finished. */
  public WorkflowDefinitionBuilder<S> end(S state) {
    return add(state, new Draft(StateType.END, null, null));
  }

  /** Declares the target states of a state. A state that declares none may go to any state. */
  @SafeVarargs
  public final WorkflowDefinitionBuilder<S> permit(S from, S... targets) {
    for (S to : targets) {
      transitions.add(new Transition(namer.apply(from), namer.apply(to), false));
    }
    return this;
  }

  /** Sets the state to which an instance moves when {@code from} has failed for good. */
  public WorkflowDefinitionBuilder<S> onFailure(S from, S to) {
    options(from).failureState = namer.apply(to);
    return this;
  }

  /** Sets the state to which an instance moves when any other state has failed for good. */
  public WorkflowDefinitionBuilder<S> onFailure(S to) {
    failureState = namer.apply(to);
    return this;
  }

  /** Sets the retry policy of all states that have none of their own. */
  public WorkflowDefinitionBuilder<S> retry(RetryPolicy policy) {
    retry = requirePresent(policy, "The retry policy of workflow '" + type + "'");
    return this;
  }

  /** Sets the retry policy of one state. */
  public WorkflowDefinitionBuilder<S> retry(S state, RetryPolicy policy) {
    options(state).retry = policy;
    return this;
  }

  /**
   * Sets the longest time for one attempt of a state; a longer one is cancelled and counts as
   * failed.
   */
  public WorkflowDefinitionBuilder<S> timeout(S state, Duration limit) {
    options(state).timeout = limit;
    return this;
  }

  /**
   * Declares that the handlers of all states compute for long. They run on platform threads, among
   * which the operating system shares the processors. Other handlers run on virtual threads, where
   * a handler that computes without waiting occupies a processor until it returns.
   */
  public WorkflowDefinitionBuilder<S> cpuBound() {
    cpuBound = true;
    return this;
  }

  /** Declares that the handler of one state computes for long; see {@link #cpuBound()}. */
  public WorkflowDefinitionBuilder<S> cpuBound(S state) {
    options(state).cpuBound = true;
    return this;
  }

  /**
   * Lets instances that enter a state wait for a message over a channel, which brings them to one
   * of the nodes that serve it. If the message does not arrive in time, the state runs without it.
   * Has no effect on an engine without channels.
   */
  public WorkflowDefinitionBuilder<S> channel(S state, String channel) {
    options(state).channel = requirePresent(channel, "The channel of state '" + state + "'");
    return this;
  }

  /**
   * Declares variables that are stored encrypted and shown only to handlers and the typed reads of
   * the client. The engine needs a key for that.
   */
  public WorkflowDefinitionBuilder<S> secret(String... variables) {
    for (String name : variables) {
      if (requirePresent(name, "The name of a secret variable of workflow '" + type + "'")
          .isBlank()) {
        throw new DefinitionException(
            "Workflow '" + type + "': a secret variable has a blank name; name the variable.");
      }
      secrets.add(name);
    }
    return this;
  }

  /**
   * Declares the type that handlers read by {@code ctx.input(type)}, so that users get a form to
   * start an instance. Nothing is checked at the start: a handler that cannot read the input fails.
   */
  public WorkflowDefinitionBuilder<S> input(Class<? extends Record> type) {
    input = InputField.of(type);
    return this;
  }

  /** Stores the whole input encrypted; see {@link #secret}. */
  public WorkflowDefinitionBuilder<S> secretInput() {
    secretInput = true;
    return this;
  }

  /**
   * Sets the version of the type, 1 by default. Raise it when running instances must not see the
   * change.
   */
  public WorkflowDefinitionBuilder<S> version(int number) {
    version = number;
    return this;
  }

  /** Sets a description: one sentence for people. */
  public WorkflowDefinitionBuilder<S> description(String sentence) {
    description = sentence;
    return this;
  }

  /**
   * Builds the definition.
   *
   * @throws DefinitionException if it is invalid; the message names the state and says how to
   *     correct it
   */
  public WorkflowDefinition build() {
    DefinitionRules rules = new DefinitionRules(type, version);
    rules.checkNames(drafts.keySet(), required.stream().map(namer).toList());
    rules.checkOptions(drafts.keySet(), options.keySet());
    options.forEach((name, own) -> {
      if (own.channel != null) {
        rules.checkChannel(name, Objects.requireNonNull(drafts.get(name)).type, own.channel);
      }
    });
    Map<String, State> states = new LinkedHashMap<>();
    drafts.forEach((name, draft) -> states.put(name, state(name, draft)));
    rules.check(states, withFailures(states));
    return new WorkflowDefinition(
        type,
        version,
        description,
        states,
        withFailures(states),
        new SecretFields(secretInput, List.copyOf(secrets)),
        input);
  }

  private State state(String name, Draft draft) {
    Options own = options(name);
    return new State(
        name,
        draft.type,
        draft.handler != null && (cpuBound || own.cpuBound)
            ? new CpuBoundHandler(draft.handler)
            : draft.handler,
        own.retry != null ? own.retry : retry,
        own.timeout,
        failureOf(name, draft, own),
        draft.await != null || own.channel == null ? draft.await : new State.Channel(own.channel));
  }

  private @Nullable String failureOf(String name, Draft draft, Options own) {
    if (own.failureState != null) {
      return own.failureState;
    }
    return draft.type.hasHandler() && !name.equals(failureState) ? failureState : null;
  }

  private List<Transition> withFailures(Map<String, State> states) {
    List<Transition> all = new ArrayList<>(transitions);
    for (State state : states.values()) {
      if (state.failureState() != null) {
        all.add(new Transition(state.name(), state.failureState(), true));
      }
    }
    return all;
  }

  private StateHandler handler(S state, StateHandler handler) {
    return requirePresent(
        handler, "The handler of state '" + state + "' of workflow '" + type + "'");
  }

  private WorkflowDefinitionBuilder<S> add(S state, Draft draft) {
    String name =
        namer.apply(requirePresent(state, "The name of a state of workflow '" + type + "'"));
    if (drafts.putIfAbsent(name, draft) != null) {
      throw new DefinitionException(
          "Workflow '"
              + type
              + "': state '"
              + name
              + "' is declared twice; every state has one declaration.");
    }
    return this;
  }

  private Options options(S state) {
    return options(namer.apply(state));
  }

  private Options options(String name) {
    return options.computeIfAbsent(name, n -> new Options());
  }
}
