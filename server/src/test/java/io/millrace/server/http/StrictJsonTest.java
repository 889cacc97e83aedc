package io.millrace.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class StrictJsonTest {

  @Test
  void whatIsTooDeepOrTooLongIsToldWithTheLimits() {
    for (String text : new String[] {"[".repeat(65) + "]".repeat(65), "1".repeat(1001)}) {
      assertThatThrownBy(() -> StrictJson.read("input", text))
          .isInstanceOf(ProblemException.class)
          .hasMessageContaining("at most 64 levels, and numbers of at most 1000 digits")
          .hasMessageNotContaining("StreamReadConstraints");
    }
    assertThat(StrictJson.read("input", "[".repeat(64) + "]".repeat(64)).isArray()).isTrue();
  }
}
