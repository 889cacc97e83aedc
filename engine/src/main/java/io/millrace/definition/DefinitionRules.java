package io.millrace.definition;

import io.millrace.instance.StorableText;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Validation of definitions. Each violation throws a {@link DefinitionException}. */
final class DefinitionRules {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.\\-]{0,99}");

  private static final Pattern CHANNEL = Pattern.compile("[A-Za-z0-9_.\\-]{1,200}");

  private final String type;

  DefinitionRules(String type, int version) {
    this.type = type;
    require(NAME.matcher(type).matches(), "its name is invalid; expected " + nameRule());
    require(version >= 1, "its version is " + version + "; expected 1 or more");
  }

  void checkNames(Collection<String> declared, List<String> required) {
    for (String name : declared) {
      require(
          NAME.matcher(name).matches(),
          "the state name '" + name + "' is invalid; expected " + nameRule());
    }
    for (String name : required) {
      require(
          declared.contains(name),
          "state '"
              + name
              + "' has no handler; declare it with start, state, await, manual or end");
    }
  }

  void checkOptions(Collection<String> declared, Collection<String> mentioned) {
    for (String name : mentioned) {
      require(
          declared.contains(name), "an option names state '" + name + "', which is not declared");
    }
  }

  void check(Map<String, State> states, List<Transition> transitions) {
    require(
        states.values().stream().anyMatch(s -> s.type() == StateType.START),
        "it has no start state; declare one with start(...)");
    for (Transition transition : transitions) {
      checkTransition(states, transition);
    }
    for (State state : states.values()) {
      checkState(state);
    }
    checkReachable(states, transitions);
  }

  private void checkTransition(Map<String, State> states, Transition transition) {
    State from = states.get(transition.from());
    require(
        from != null, "a transition starts at '" + transition.from() + "', which is not declared");
    require(
        states.containsKey(transition.to()),
        "a transition from '"
            + transition.from()
            + "' leads to '"
            + transition.to()
            + "', which is not declared");
    if (from != null) {
      require(
          from.type() != StateType.END,
          "end state '"
              + transition.from()
              + "' has a transition to '"
              + transition.to()
              + "'; an end state leads nowhere");
    }
  }

  private void checkState(State state) {
    if (state.timeout() != null) {
      require(
          state.type().hasHandler(), "state '" + state.name() + "' has a timeout but no handler");
      require(
          !state.timeout().isNegative() && !state.timeout().isZero(),
          "the timeout of state '"
              + state.name()
              + "' is "
              + state.timeout()
              + "; expected more than zero");
    }
    State.Await await = state.await();
    if (await != null) {
      require(
          !await.signal().isBlank()
              && await.signal().length() <= 100
              && StorableText.isStorable(await.signal()),
          "state '"
              + state.name()
              + "' awaits the signal '"
              + StorableText.repaired(await.signal())
              + "'; expected 1 to 100 characters, not blank, "
              + StorableText.EXPECTED);
      require(
          await.timeout() == null || await.timeout().isPositive(),
          "state '"
              + state.name()
              + "' waits for "
              + await.timeout()
              + "; expected more than zero");
    }
    require(
        !state.name().equals(state.failureState()),
        "the failure transition of state '" + state.name() + "' leads to itself");
  }

  void checkChannel(String state, StateType kind, String channel) {
    require(
        kind == StateType.START || kind == StateType.NORMAL,
        "state '" + state + "' has a channel but is no start or normal state");
    require(
        CHANNEL.matcher(channel).matches(),
        "the channel '"
            + channel
            + "' of state '"
            + state
            + "' is invalid; expected 1 to 200 letters, digits, '_', '.' or '-'");
  }

  /**
   * Checks that every state can be reached. A handler state that declares no transition may go to
   * any state, so then nothing is provably unreachable.
   */
  private void checkReachable(Map<String, State> states, List<Transition> transitions) {
    Set<String> reached = new HashSet<>();
    Deque<State> open = new ArrayDeque<>();
    states.values().stream().filter(s -> s.type() == StateType.START).forEach(open::add);
    while (!open.isEmpty()) {
      State state = open.remove();
      if (!reached.add(state.name())) {
        continue;
      }
      if (mayGoEverywhere(state, transitions)) {
        return;
      }
      for (State target : states.values()) {
        if (transitions.stream()
            .anyMatch(t -> t.from().equals(state.name()) && t.to().equals(target.name()))) {
          open.add(target);
        }
      }
    }
    for (String name : states.keySet()) {
      require(
          reached.contains(name),
          "state '" + name + "' cannot be reached; permit a transition to it or remove it");
    }
  }

  private static boolean mayGoEverywhere(State state, List<Transition> transitions) {
    return state.type() != StateType.END
        && transitions.stream().noneMatch(t -> !t.failure() && t.from().equals(state.name()));
  }

  private static String nameRule() {
    return "a letter or digit, then at most 99 letters, digits, '_', '.' or '-'";
  }

  private void require(boolean holds, String fault) {
    if (!holds) {
      throw new DefinitionException("Workflow '" + type + "': " + fault + ".");
    }
  }
}
