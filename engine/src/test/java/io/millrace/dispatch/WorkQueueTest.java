package io.millrace.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.lifecycle.EngineSettings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkQueueTest {

  private static final int CONCURRENCY = 4;
  private static final long MAX_HEAP = 4_000;

  private final FakeRuntime runtime = new FakeRuntime();
  private final OrphanedHandlers orphanedHandlers =
      new OrphanedHandlers(runtime, Duration.ofSeconds(15));
  private final EngineContext engine =
      new EngineContext(
          null,
          runtime.runtime(MAX_HEAP),
          EngineSettings.defaults().concurrency(CONCURRENCY).queueSize(0),
          null,
          null,
          new EngineEventPublisher(List.of()),
          List.of());
  private final PollRequests polls = new PollRequests(engine);
  private final LeasedInstances leasedInstances = new LeasedInstances(orphanedHandlers);
  private final WorkQueue queue =
      new WorkQueue(
          engine,
          ExecutorLease.none(runtime),
          polls,
          leasedInstances,
          orphanedHandlers,
          leased -> {});

  @Test
  void aClaimAndAHandOverDoNotGetTheSameRoom() {
    WorkQueue.Reservation claim = queue.reserve(3);
    assertThat(claim.size()).isEqualTo(3);
    assertThat(queue.reservePlaces(CONCURRENCY).size()).isEqualTo(1);
    assertThat(queue.reserve(1).size()).isZero();

    claim.close();
    assertThat(queue.freePlaces()).isEqualTo(3);
  }

  @Test
  void returnedRoomRequestsAPollForWhatWasLeftInTheDatabase() {
    polls.take(Duration.ofSeconds(1));
    queue.reserve(1).close();
    assertThat(polls.untilNext()).isPositive();

    polls.noteBacklog(true);
    queue.reserve(1).close();
    assertThat(polls.untilNext()).isZero();
    assertThat(polls.hasBacklog()).isFalse();
  }

  @Test
  void nothingIsReservedWhileTheDataOfWhatIsHeldHaveAQuarterOfTheHeap() {
    LeasedInstance half = HeldInstances.withInput(1, "x".repeat(500));
    leasedInstances.add(half, false);
    assertThat(queue.reserve(1).size()).isEqualTo(1);

    leasedInstances.add(HeldInstances.withInput(2, "x".repeat(500)), false);
    assertThat(queue.reserve(1).size()).isZero();
    assertThat(queue.reservePlaces(1).size()).isZero();

    leasedInstances.remove(half);
    assertThat(queue.reserve(1).size()).isEqualTo(1);
  }
}
