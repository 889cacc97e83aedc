package io.millrace.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.data.PeriodState.Operation;
import io.millrace.instance.InvalidRequestException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PeriodStateTest {

  private static List<PeriodState> from(Operation operation) {
    return Stream.of(PeriodState.values()).filter(state -> state.allows(operation)).toList();
  }

  @Test
  void theTableOfTransitions() {
    assertThat(from(Operation.CLAIM))
        .containsExactly(PeriodState.CLAIMED, PeriodState.RUNNING, PeriodState.RELEASED);
    assertThat(from(Operation.START)).containsExactly(PeriodState.CLAIMED);
    assertThat(from(Operation.MISS)).containsExactly(PeriodState.RELEASED);
    for (Operation end : List.of(Operation.COMPLETE, Operation.FAIL, Operation.RELEASE)) {
      assertThat(from(end)).containsExactly(PeriodState.CLAIMED, PeriodState.RUNNING);
      assertThat(PeriodState.to(end).isHeld()).isFalse();
    }
  }

  @Test
  void everyStateHasItsName() {
    for (PeriodState state : PeriodState.values()) {
      assertThat(PeriodState.ofCode(state.code())).isEqualTo(state);
    }
    assertThatThrownBy(() -> PeriodState.ofCode("x"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("claimed");
  }
}
