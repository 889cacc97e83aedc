package io.millrace.instance;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The stored state of an executor. Its lease tells whether its process lives: a dead executor has
 * no state of its own.
 */
public enum ExecutorState {
  /** Takes new work. */
  ACTIVE,
  /** Takes no new work and continues the instances it holds. */
  CORDONED,
  /** Takes no new work; the instances it holds must end by the deadline. */
  DRAINING,
  /** Stopped in good order. */
  DRAINED;

  /** An event in the life of an executor. */
  public enum Event {
    CORDON,
    UNCORDON,
    DRAIN,
    /** All that it held has ended or was given back. */
    END
  }

  /** Each event has one goal. */
  private record Transition(ExecutorState from, Event event, ExecutorState to) {}

  /** All that may happen; nothing else does. */
  private static final List<Transition> TABLE =
      List.of(
          new Transition(ACTIVE, Event.CORDON, CORDONED),
          new Transition(CORDONED, Event.UNCORDON, ACTIVE),
          new Transition(ACTIVE, Event.DRAIN, DRAINING),
          new Transition(CORDONED, Event.DRAIN, DRAINING),
          new Transition(ACTIVE, Event.END, DRAINED),
          new Transition(CORDONED, Event.END, DRAINED),
          new Transition(DRAINING, Event.END, DRAINED));

  /** Returns the state after an event; empty if the event cannot happen in this state. */
  public Optional<ExecutorState> after(Event event) {
    return sources(event).contains(this) ? Optional.of(goal(event)) : Optional.empty();
  }

  /** Returns the state to which an event leads. */
  public static ExecutorState goal(Event event) {
    return TABLE.stream()
        .filter(transition -> transition.event == event)
        .findFirst()
        .orElseThrow()
        .to;
  }

  /** The states in which {@code event} can happen. */
  public static Set<ExecutorState> sources(Event event) {
    Set<ExecutorState> sources = new TreeSet<>();
    TABLE.stream()
        .filter(transition -> transition.event == event)
        .forEach(transition -> sources.add(transition.from));
    return sources;
  }

  /** True when the executor takes new work. */
  public boolean acceptsWork() {
    return this == ACTIVE;
  }

  /** The state with this name; one that a newer version has written takes no work here. */
  public static ExecutorState of(String name) {
    for (ExecutorState state : values()) {
      if (state.name().equals(name)) {
        return state;
      }
    }
    return CORDONED;
  }
}
