package io.millrace.instance;

import static io.millrace.instance.ExecutorState.ACTIVE;
import static io.millrace.instance.ExecutorState.CORDONED;
import static io.millrace.instance.ExecutorState.DRAINED;
import static io.millrace.instance.ExecutorState.DRAINING;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.ExecutorState.Event;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The whole table, written a second time. */
class ExecutorStateTest {

  private static final Map<ExecutorState, Map<Event, ExecutorState>> EXPECTED =
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
    for (ExecutorState state : ExecutorState.values()) {
      for (Event event : Event.values()) {
        ExecutorState goal = EXPECTED.get(state).get(event);
        assertThat(state.after(event).orElse(null)).as("%s in %s", event, state).isEqualTo(goal);
        assertThat(ExecutorState.sources(event).contains(state)).isEqualTo(goal != null);
      }
    }
  }

  @Test
  void onlyAnActiveExecutorTakesWork() {
    assertThat(ACTIVE.acceptsWork()).isTrue();
    assertThat(CORDONED.acceptsWork()).isFalse();
    assertThat(ExecutorState.of("A_LATER_STATE").acceptsWork()).isFalse();
  }
}
