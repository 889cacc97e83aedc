package io.millrace.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.redis.admin.QueuePause;
import io.millrace.redis.admin.QueueView;
import io.millrace.redis.admin.RegisteredQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class FlowQueueAnalyzerTest {

  private static final Instant BEGIN = Instant.parse("2026-11-22T09:00:00Z");

  private Instant now = BEGIN;
  private final FlowQueueAnalyzer troubles = new FlowQueueAnalyzer(() -> now);

  private static QueueView queue(
      String next,
      long dead,
      long ended,
      QueuePause queuePause,
      QueueView.WorkerCounts workerCounts) {
    return new QueueView(
        new RegisteredQueue("pack", "box", null, null, Duration.ofMinutes(3)),
        new QueueView.JobCounts(next == null ? 0 : 7, 1, 0, dead, next, null, 0),
        queuePause,
        workerCounts,
        new QueueView.Throughput(ended, 0, 0, 0),
        new QueueView.ExpiredJobs(0, null),
        null);
  }

  private static QueueView queue(String next, long ended) {
    return queue(next, 0, ended, null, new QueueView.WorkerCounts(0, 0));
  }

  private List<FlowQueueProblem> after(Duration time, QueueView queue) {
    now = now.plus(time);
    return troubles.analyze(List.of(queue));
  }

  @Test
  void aQueueWhoseNextJobIsNotTakenForLongStandsStill() {
    assertThat(after(Duration.ZERO, queue("a", 5))).isEmpty();
    assertThat(after(Duration.ofMinutes(4), queue("a", 5))).isEmpty();
    assertThat(after(Duration.ofMinutes(1), queue("a", 5)))
        .singleElement()
        .satisfies(trouble -> {
          assertThat(trouble.severity()).isEqualTo("warning");
          assertThat(trouble.title()).isEqualTo("Queue 'box' of flow 'pack' stands still");
          assertThat(trouble.detail()).contains("7 wait", "No worker of Millrace");
          assertThat(trouble.since()).isEqualTo(BEGIN);
          assertThat(trouble.count()).isEqualTo(7);
        });
    assertThat(after(Duration.ofSeconds(10), queue("b", 5))).as("Node.js took one").isEmpty();
    assertThat(after(Duration.ofMinutes(4), queue("b", 6))).as("one has ended").isEmpty();
    assertThat(after(Duration.ofMinutes(4), queue("b", 6))).isEmpty();
    assertThat(after(Duration.ofMinutes(9), queue(null, 6))).as("none waits").isEmpty();
  }

  @Test
  void whatItsWorkersDoIsTold() {
    QueueView busy = queue("a", 0, 0, null, new QueueView.WorkerCounts(2, 2));
    QueueView idle = queue("a", 0, 0, null, new QueueView.WorkerCounts(2, 0));
    after(Duration.ZERO, busy);
    assertThat(after(Duration.ofMinutes(5), busy).getFirst().detail()).contains("busy");
    assertThat(after(Duration.ofMinutes(1), idle).getFirst().detail()).contains("idle");
  }

  @Test
  void aPausedQueueIsNoStandingOne() {
    QueuePause queuePause = new QueuePause("no boxes", "ann", BEGIN);
    QueueView paused = queue("a", 0, 0, queuePause, new QueueView.WorkerCounts(2, 0));
    after(Duration.ZERO, paused);
    assertThat(after(Duration.ofHours(1), paused))
        .singleElement()
        .satisfies(trouble -> {
          assertThat(trouble.severity()).isEqualTo("info");
          assertThat(trouble.detail()).contains("ann", "no boxes");
          assertThat(trouble.since()).isEqualTo(BEGIN);
        });
    assertThat(after(Duration.ofMinutes(4), queue("a", 0))).as("it was just resumed").isEmpty();
  }

  @Test
  void jobsThatExpiredInTheQueueAreAProblemForADay() {
    QueueView fine = queue(null, 0, 0, null, new QueueView.WorkerCounts(2, 0));
    QueueView lost =
        new QueueView(
            fine.queue(),
            fine.counts(),
            null,
            fine.workers(),
            fine.throughput(),
            new QueueView.ExpiredJobs(12, BEGIN),
            null);
    assertThat(after(Duration.ZERO, lost))
        .singleElement()
        .satisfies(trouble -> {
          assertThat(trouble.title()).isEqualTo("Queue 'box' of flow 'pack' lost jobs");
          assertThat(trouble.detail()).contains("12 jobs", "timeToLive");
          assertThat(trouble.since()).isEqualTo(BEGIN);
          assertThat(trouble.count()).isEqualTo(12);
        });
    assertThat(after(Duration.ofHours(25), lost)).isEmpty();
  }

  @Test
  void deadJobsAndKeysOfAnotherTypeAreTold() {
    QueueView dead = queue(null, 3, 0, null, new QueueView.WorkerCounts(0, 0));
    assertThat(after(Duration.ZERO, dead))
        .extracting(FlowQueueProblem::severity, FlowQueueProblem::count)
        .containsExactly(org.assertj.core.groups.Tuple.tuple("warning", 3L));
    QueueView poisoned =
        new QueueView(
            dead.queue(),
            dead.counts(),
            null,
            dead.workers(),
            dead.throughput(),
            new QueueView.ExpiredJobs(0, null),
            "WRONGTYPE (LLEN box)");
    assertThat(after(Duration.ZERO, poisoned))
        .extracting(FlowQueueProblem::severity, FlowQueueProblem::title)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(
                "error", "Queue 'box' of flow 'pack' cannot be read"));
  }
}
