package io.millrace.server.observe;

import io.millrace.redis.admin.QueuePause;
import io.millrace.redis.admin.QueueView;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An analyzer that finds problems of queues by comparing successive observations. Workers in
 * Node.js report nothing, but their effects are visible. For one thread.
 */
final class FlowQueueAnalyzer {

  private static final Duration LONG = Duration.ofMinutes(5);

  /** Time for which expired jobs are reported after the last of them. */
  private static final Duration DAY = Duration.ofDays(1);

  private static final int MAX = 50;

  private final InstantSource clock;
  private final Map<String, Head> heads = new HashMap<>();

  /**
   * The state of a queue.
   *
   * @param next the job that is taken next; null for none
   * @param ended number of jobs that have ever ended
   * @param since time since which the state has not changed
   */
  private record Head(@Nullable String next, long ended, Instant since) {
    boolean isStill(Head now) {
      return Objects.equals(next, now.next) && ended == now.ended;
    }
  }

  FlowQueueAnalyzer(InstantSource clock) {
    this.clock = clock;
  }

  /** Returns the current problems, ordered by the names of the queues. */
  List<FlowQueueProblem> analyze(Collection<QueueView> queues) {
    Instant now = clock.instant();
    heads
        .keySet()
        .retainAll(queues.stream().map(FlowQueueAnalyzer::name).collect(Collectors.toSet()));
    List<FlowQueueProblem> found = new ArrayList<>();
    queues.stream()
        .sorted(Comparator.comparing(FlowQueueAnalyzer::name))
        .forEach(queue -> analyze(queue, now, found));
    return List.copyOf(found.subList(0, Math.min(MAX, found.size())));
  }

  private static String name(QueueView queue) {
    return queue.queue().name();
  }

  private void analyze(QueueView queue, Instant now, List<FlowQueueProblem> found) {
    String title = "Queue '" + name(queue) + "' of flow '" + queue.queue().flow() + "' ";
    if (queue.problem() != null) {
      found.add(
          new FlowQueueProblem(
              "error",
              title + "cannot be read",
              queue.problem() + " Look at what has written there, and delete the key.",
              null,
              null));
      return;
    }
    Instant since = standsSince(queue, now);
    QueueView.JobCounts jobCounts = queue.counts();
    QueuePause queuePause = queue.paused();
    if (queuePause != null) {
      found.add(
          new FlowQueueProblem(
              "info", title + "is paused", paused(queuePause), queuePause.since(), null));
    } else if (jobCounts.waiting() > 0 && Duration.between(since, now).compareTo(LONG) >= 0) {
      found.add(
          new FlowQueueProblem(
              "warning", title + "stands still", standing(queue), since, jobCounts.waiting()));
    }
    Instant lost = queue.expired().last();
    if (lost != null && Duration.between(lost, now).compareTo(DAY) < 0) {
      found.add(expired(title, queue.expired()));
    }
    if (jobCounts.dead() > 0) {
      found.add(
          new FlowQueueProblem(
              "warning",
              title + "has dead jobs",
              jobCounts.dead()
                  + " failed for good. Each tells why; mend the cause, then requeue or delete them.",
              null,
              jobCounts.dead()));
    }
  }

  private static FlowQueueProblem expired(String title, QueueView.ExpiredJobs expiredJobs) {
    return new FlowQueueProblem(
        "warning",
        title + "lost jobs",
        expiredJobs.total()
            + " jobs left the queue without being processed: their time to live ended while no"
            + " process of Millrace ran that renews it, or another program deleted them. Keep one"
            + " process or server running, or give the flow a longer timeToLive.",
        expiredJobs.last(),
        expiredJobs.total());
  }

  private Instant standsSince(QueueView queue, Instant now) {
    QueueView.Throughput throughput = queue.throughput();
    Head head = new Head(queue.counts().next(), throughput.completed() + throughput.failed(), now);
    Head known = heads.get(name(queue));
    if (known == null || queue.paused() != null || !known.isStill(head)) {
      heads.put(name(queue), head);
      return now;
    }
    return known.since();
  }

  private static String paused(QueuePause queuePause) {
    return (queuePause.by() == null ? "" : "By " + queuePause.by() + ". ")
        + (queuePause.why() == null ? "No reason was given." : queuePause.why())
        + " Its jobs wait until it is resumed.";
  }

  private static String standing(QueueView queue) {
    QueueView.WorkerCounts workerCounts = queue.workers();
    String why =
        workerCounts.workers() == 0
            ? "No worker of Millrace serves it: start one, or those in Node.js."
            : workerCounts.busy() >= workerCounts.workers()
                ? "All of its workers are busy: see with what, or add some."
                : "Its workers are idle: a rate limit holds them back, or their log tells why.";
    return "No job was taken or ended, and " + queue.counts().waiting() + " wait. " + why;
  }
}
