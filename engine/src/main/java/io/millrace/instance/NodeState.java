package io.millrace.instance;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * How far an executor is on its way out of work, as its row tells. Whether its process lives is
 * told by its lease: one that stopped, or died, is no state of its own.
 */
public enum NodeState {
  /** It takes new work. */
  ACTIVE,
  /** It takes no new work; what it holds goes on. */
  CORDONED,
  /** It takes no new work, and what it holds has to end by the deadline. */
  DRAINING,
  /** It has left in good order. */
  DRAINED;

  /** What may happen to an executor. */
  public enum Event {
    CORDON,
    UNCORDON,
    DRAIN,
    /** All that it held has ended or was given back. */
    END
  }

  /** Each event has one goal. */
  private record Row(NodeState from, Event event, NodeState to) {}

  /** All that may happen; nothing else does. */
  private static final List<Row> TABLE =
      List.of(
          new Row(ACTIVE, Event.CORDON, CORDONED),
          new Row(CORDONED, Event.UNCORDON, ACTIVE),
          new Row(ACTIVE, Event.DRAIN, DRAINING),
          new Row(CORDONED, Event.DRAIN, DRAINING),
          new Row(ACTIVE, Event.END, DRAINED),
          new Row(CORDONED, Event.END, DRAINED),
          new Row(DRAINING, Event.END, DRAINED));

  /** Where {@code event} leads from here; empty when it cannot happen here. */
  public Optional<NodeState> after(Event event) {
    return sources(event).contains(this) ? Optional.of(goal(event)) : Optional.empty();
  }

  /** Where {@code event} leads. */
  public static NodeState goal(Event event) {
    return TABLE.stream().filter(row -> row.event == event).findFirst().orElseThrow().to;
  }

  /** The states in which {@code event} can happen. */
  public static Set<NodeState> sources(Event event) {
    Set<NodeState> sources = new TreeSet<>();
    TABLE.stream().filter(row -> row.event == event).forEach(row -> sources.add(row.from));
    return sources;
  }

  /** True when the executor takes new work. */
  public boolean takesWork() {
    return this == ACTIVE;
  }

  /** The state with this name; one that a newer version has written takes no work here. */
  public static NodeState of(String name) {
    for (NodeState state : values()) {
      if (state.name().equals(name)) {
        return state;
      }
    }
    return CORDONED;
  }
}
