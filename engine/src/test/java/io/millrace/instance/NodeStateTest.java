package io.millrace.instance;

import static io.millrace.instance.NodeState.ACTIVE;
import static io.millrace.instance.NodeState.CORDONED;
import static io.millrace.instance.NodeState.DRAINED;
import static io.millrace.instance.NodeState.DRAINING;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.NodeState.Event;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The whole table, written down a second time. */
class NodeStateTest {

  private static final Map<NodeState, Map<Event, NodeState>> EXPECTED =
      Map.of(
          ACTIVE,
          Map.of(Event.CORDON, CORDONED, Event.DRAIN, DRAINING, Event.END, DRAINED),
          CORDONED,
          Map.of(Event.UNCORDON, ACTIVE, Event.DRAIN, DRAINING, Event.END, DRAINED),
          DRAINING,
          Map.of(Event.END, DRAINED),
          DRAINED,
          Map.of());

  @Test
  void nothingElseHappens() {
    for (NodeState state : NodeState.values()) {
      for (Event event : Event.values()) {
        NodeState goal = EXPECTED.get(state).get(event);
        assertThat(state.after(event).orElse(null)).as("%s in %s", event, state).isEqualTo(goal);
        assertThat(NodeState.sources(event).contains(state)).isEqualTo(goal != null);
      }
    }
  }

  @Test
  void onlyAnActiveExecutorTakesWork() {
    assertThat(ACTIVE.takesWork()).isTrue();
    assertThat(CORDONED.takesWork()).isFalse();
    assertThat(NodeState.of("A_LATER_STATE").takesWork()).isFalse();
  }
}
