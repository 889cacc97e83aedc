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
  /** The executor claims new work. */
  ACTIVE,
  /** The executor claims no new work and continues the instances it holds. */
  CORDONED,
  /**
   * The executor stops, for any reason: it claims no new work, and the instances it holds must end
   * by the deadline.
   */
  DRAINING,
  /** The executor stopped in good order. */
  DRAINED;

  /** An event in the life of an executor. */
  public enum Event {
    CORDON,
    UNCORDON,
    /** An operator orders the executor to drain, or it starts to stop on its own. */
    DRAIN,
    /** The instances it held have all ended or were released. */
    END
  }

  /** An allowed transition. Each event leads to one state. */
  private record Transition(ExecutorState from, Event event, ExecutorState to) {}

  /** All allowed transitions. */
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

  /** Returns the states in which {@code event} can happen. */
  public static Set<ExecutorState> sources(Event event) {
    Set<ExecutorState> sources = new TreeSet<>();
    TABLE.stream()
        .filter(transition -> transition.event == event)
        .forEach(transition -> sources.add(transition.from));
    return sources;
  }

  /** Returns true if the executor claims new work. */
  public boolean acceptsWork() {
    return this == ACTIVE;
  }

  /**
   * Returns the state with this name. A state that only a newer version knows counts as one that
   * claims no work.
   */
  public static ExecutorState of(String name) {
    for (ExecutorState state : values()) {
      if (state.name().equals(name)) {
        return state;
      }
    }
    return CORDONED;
  }
}
