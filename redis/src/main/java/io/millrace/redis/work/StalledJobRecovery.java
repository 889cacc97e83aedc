package io.millrace.redis.work;

import io.millrace.lifecycle.IntervalThrottle;
import io.millrace.lifecycle.Loop;
import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.connect.RedisUnavailableException;
import io.millrace.redis.flow.FlowEvent;
import io.millrace.redis.wire.LuaScript;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recovers stalled jobs: entries of the processing list that had no lock twice, with the queue's
 * grace between, most often because the worker died. It also recovers a job that a worker of this
 * process has leased without knowing it, because the reply was lost. Several processes can do this
 * at the same time.
 */
final class StalledJobRecovery implements Loop.Work {

  private static final Logger LOG = LoggerFactory.getLogger(StalledJobRecovery.class);
  private static final Duration MIN_PAUSE = Duration.ofMillis(100);
  private static final Duration MAX_PAUSE = Duration.ofSeconds(10);

  private final WorkerContext context;
  private final List<QueueRuntime> queueRuntimes;
  private final IntervalThrottle warningThrottle;

  /** Time at which each job was first seen without its worker. */
  private final Map<StalledJob, Long> seen = new HashMap<>();

  /**
   * A job in processing that no worker processes.
   *
   * @param owner the worker of this process that has its lock; empty when none has
   */
  private record StalledJob(QueueRuntime queueRuntime, String id, String owner) {}

  StalledJobRecovery(WorkerContext context, List<QueueRuntime> queueRuntimes) {
    this.context = context;
    this.queueRuntimes = queueRuntimes;
    this.warningThrottle =
        new IntervalThrottle(context.runtime().clock(), QueueRuntime.BETWEEN_WARNINGS);
  }

  @Override
  public Duration tick() {
    for (QueueRuntime queueRuntime : queueRuntimes) {
      try {
        look(queueRuntime);
      } catch (RedisUnavailableException | RedisReplyException e) {
        if (warningThrottle.permits()) {
          LOG.warn(
              "Queue {} could not be searched for stalled jobs: {}",
              queueRuntime.queueKeys().name(),
              e.getMessage());
        }
      }
    }
    return pause();
  }

  private void look(QueueRuntime queueRuntime) {
    Set<StalledJob> stalled = new LinkedHashSet<>();
    for (ProcessingEntry one : ProcessingEntry.of(context.redis(), queueRuntime.queueKeys())) {
      if (one.owner().isEmpty() || isUnknownLease(queueRuntime, one)) {
        stalled.add(new StalledJob(queueRuntime, one.id(), one.owner()));
      }
    }
    seen.keySet()
        .removeIf(known -> known.queueRuntime() == queueRuntime && !stalled.contains(known));
    long now = context.nanoTime();
    long grace = queueRuntime.queueKeys().policy().stallGrace().toNanos();
    for (StalledJob stalledJob : stalled) {
      Long first = seen.putIfAbsent(stalledJob, now);
      if (first != null && now - first >= grace) {
        seen.remove(stalledJob);
        recover(stalledJob);
      }
    }
  }

  /** Returns true if a worker of this process has the lock and does not know it. */
  private static boolean isUnknownLease(QueueRuntime queueRuntime, ProcessingEntry one) {
    for (QueueWorker worker : queueRuntime.workers()) {
      if (worker.id().equals(one.owner())) {
        return !worker.has(one.id());
      }
    }
    return false;
  }

  private void recover(StalledJob stalledJob) {
    QueueRuntime queueRuntime = stalledJob.queueRuntime();
    QueueKeys queueKeys = queueRuntime.queueKeys();
    int limit = queueKeys.policy().stallLimit();
    String message =
        "The worker of queue "
            + queueKeys.name()
            + " died or lost its lock "
            + (limit + 1)
            + " times; the job was not tried again";
    List<String> arguments = new ArrayList<>(queueKeys.arguments(stalledJob.owner()));
    arguments.add(stalledJob.id());
    arguments.add(Integer.toString(limit));
    arguments.add(Integer.toString(queueKeys.policy().maxDeadJobs()));
    arguments.add(queueRuntime.failureFields().queue());
    arguments.addAll(queueRuntime.failureFields().fields(message));
    List<?> answer =
        (List<?>)
            RedisReplies.need(context.redis().run(LuaScript.RECOVER, queueKeys.keys(), arguments));
    report(
        stalledJob,
        RedisReplies.text(answer.getFirst()),
        RedisReplies.number(answer.get(1)),
        message);
  }

  private void report(StalledJob stalledJob, String status, long stalls, String message) {
    QueueRuntime queueRuntime = stalledJob.queueRuntime();
    String queue = queueRuntime.queueKeys().name();
    FlowEvent.JobRef jobRef = queueRuntime.jobRef(stalledJob.id());
    switch (status) {
      case "RECOVERED" -> {
        LOG.warn(
            "Job {} of queue {} was recovered, since no worker held its lock any more",
            stalledJob.id(),
            queue);
        queueRuntime.counters().count(QueueCounters.Kind.RECOVERED);
        context.notifyListener(new FlowEvent.Recovered(jobRef, stalls, false));
      }
      case "FAILED" -> {
        LOG.warn("Job {} of queue {} has failed: {}", stalledJob.id(), queue, message);
        queueRuntime.counters().count(QueueCounters.Kind.FAILED);
        queueRuntime.jobFinished(stalledJob.id());
        context.notifyListener(new FlowEvent.Recovered(jobRef, stalls, true));
      }
      case "GONE" -> {
        LOG.warn("Job {} of queue {} is dropped: it is gone", stalledJob.id(), queue);
        queueRuntime.counters().count(QueueCounters.Kind.EXPIRED);
      }
      case "ALREADY_STORED" ->
          LOG.info("The outcome of job {} of queue {} was stored already", stalledJob.id(), queue);
      default ->
          LOG.debug("Job {} of queue {} was not recovered: {}", stalledJob.id(), queue, status);
    }
  }

  /**
   * Returns a third of the shortest grace, with a random part so that processes do not run in step.
   */
  private Duration pause() {
    Duration pause = MAX_PAUSE;
    for (QueueRuntime queueRuntime : queueRuntimes) {
      Duration third = queueRuntime.queueKeys().policy().stallGrace().dividedBy(3);
      pause = third.compareTo(pause) < 0 ? third : pause;
    }
    pause = pause.compareTo(MIN_PAUSE) < 0 ? MIN_PAUSE : pause;
    return pause.plusMillis(context.runtime().random().nextLong(1 + pause.toMillis() / 10));
  }
}
