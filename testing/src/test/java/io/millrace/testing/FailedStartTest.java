package io.millrace.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Engine;
import io.millrace.instance.ConflictException;
import io.millrace.sequence.Task;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

/** An engine that cannot start leaves nothing running. */
class FailedStartTest {

  @Test
  void whatFailsAfterTheExecutorHasBegunEndsIt() {
    MemoryStore store = new MemoryStore(InstantSource.system());
    assertThatThrownBy(() ->
            Engine.builder()
                .store(store)
                .task(Task.of("A", "T").channel("one"))
                .task(Task.of("B", "T").channel("one"))
                .start())
        .isInstanceOf(ConflictException.class);
    assertThat(store.executors().all(Duration.ofHours(1)))
        .singleElement()
        .satisfies(executor -> assertThat(executor.stopped()).isNotNull());
  }
}
