package io.millrace.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.lifecycle.EngineSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class WorkQueueTest {

  private static final int CONCURRENCY = 4;

  private final FakeRuntime runtime = new FakeRuntime();
  private final OrphanedHandlers orphanedHandlers =
      new OrphanedHandlers(runtime, Duration.ofSeconds(15));
  private int returned;
  private final WorkQueue queue =
      new WorkQueue(
          new EngineSettings.Dispatching(CONCURRENCY, 0, Duration.ofSeconds(1), Duration.ZERO),
          new LeasedInstances(orphanedHandlers),
          orphanedHandlers,
          runtime,
          leased -> {},
          () -> returned++,
          Long.MAX_VALUE);

  @Test
  void aClaimAndAHandOverDoNotGetTheSameRoom() {
    WorkQueue.Reservation claim = queue.reserve(3);
    assertThat(claim.size()).isEqualTo(3);
    assertThat(queue.reserveHandlers(CONCURRENCY).size()).isEqualTo(1);
    assertThat(queue.reserve(1).size()).isZero();

    claim.close();
    assertThat(returned).isEqualTo(1);
    assertThat(queue.freeHandlers()).isEqualTo(3);
  }
}
