package io.millrace.sequence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.InvalidRequestException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Validation of tasks. A stored task that cannot be compiled would keep engines from starting. */
final class TaskTest {

  private static Task.Options options(Integer maxRetries, Long firstRetryDelay, Long timeout) {
    return new Task.Options(maxRetries, firstRetryDelay, timeout, false, 0, Map.of());
  }

  @Test
  void whatCannotBeCompiledIsRefused() {
    assertThatThrownBy(() -> options(Integer.MAX_VALUE, null, null))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("maxRetries");
    assertThatThrownBy(() -> options(null, Long.MAX_VALUE, null))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("firstRetryDelay");
    assertThatThrownBy(() -> options(null, null, Long.MAX_VALUE))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("timeout");
    Task.Options most = options(1_000_000, Task.Options.MAX_MILLIS, Task.Options.MAX_MILLIS);
    assertThat(most.timeout()).isEqualTo(31_622_400_000L);
  }
}
