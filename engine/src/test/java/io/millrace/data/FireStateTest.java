package io.millrace.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.data.FireState.Deed;
import io.millrace.instance.InvalidRequestException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FireStateTest {

  private static List<FireState> from(Deed deed) {
    return Stream.of(FireState.values()).filter(state -> state.allows(deed)).toList();
  }

  @Test
  void theTableOfTransitions() {
    assertThat(from(Deed.CLAIM))
        .containsExactly(FireState.CLAIMED, FireState.RUNNING, FireState.RELEASED);
    assertThat(from(Deed.START)).containsExactly(FireState.CLAIMED);
    assertThat(from(Deed.MISS)).containsExactly(FireState.RELEASED);
    for (Deed end : List.of(Deed.COMPLETE, Deed.FAIL, Deed.RELEASE)) {
      assertThat(from(end)).containsExactly(FireState.CLAIMED, FireState.RUNNING);
      assertThat(FireState.to(end).isHeld()).isFalse();
    }
  }

  @Test
  void everyStateHasItsName() {
    for (FireState state : FireState.values()) {
      assertThat(FireState.ofCode(state.code())).isEqualTo(state);
    }
    assertThatThrownBy(() -> FireState.ofCode("x"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("claimed");
  }
}
