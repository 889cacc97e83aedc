package io.millrace.redis.work;

import io.millrace.lifecycle.IntervalThrottle;
import io.millrace.lifecycle.Loop;
import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.connect.RedisUnavailableException;
import io.millrace.redis.wire.LuaScript;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the locks of all jobs of this process after a third of their time, and stops handlers that
 * have lost their lock or run too long.
 */
final class LockKeeper implements Loop.Work {

  private static final Logger LOG = LoggerFactory.getLogger(LockKeeper.class);
  private static final int AT_ONCE = 500;
  private static final Duration MIN_PAUSE = Duration.ofMillis(10);
  private static final Duration MAX_PAUSE = Duration.ofSeconds(30);
  private static final Duration AFTER_FAULT = Duration.ofMillis(250);

  /** Time that an interrupted handler has to return. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final WorkerContext context;
  private final List<QueueRuntime> queueRuntimes;
  private final IntervalThrottle warningThrottle;

  LockKeeper(WorkerContext context, List<QueueRuntime> queueRuntimes) {
    this.context = context;
    this.queueRuntimes = queueRuntimes;
    this.warningThrottle =
        new IntervalThrottle(context.runtime().clock(), QueueRuntime.BETWEEN_WARNINGS);
  }

  private record Due(QueueRuntime queueRuntime, QueueWorker worker, LeasedJob job) {}

  @Override
  public Duration tick() {
    try {
      List<Due> due = new ArrayList<>();
      // Jobs that would be due before the next round are renewed now.
      long early = pause().toNanos() / 2;
      for (QueueRuntime queueRuntime : queueRuntimes) {
        for (QueueWorker worker : queueRuntime.workers()) {
          for (LeasedJob job : worker.jobs()) {
            guard(queueRuntime, worker, job);
            if (isDue(queueRuntime, job, early)) {
              due.add(new Due(queueRuntime, worker, job));
            }
          }
        }
      }
      for (int from = 0; from < due.size(); from += AT_ONCE) {
        renew(due.subList(from, Math.min(due.size(), from + AT_ONCE)));
      }
      return pause();
    } catch (RedisUnavailableException | RedisReplyException e) {
      if (warningThrottle.permits()) {
        LOG.warn("Locks could not be renewed, will retry: {}", e.getMessage());
      }
      return AFTER_FAULT;
    }
  }

  private boolean isDue(QueueRuntime queueRuntime, LeasedJob job, long early) {
    long third = queueRuntime.queueKeys().queue().lockTime().toNanos() / 3;
    return context.nanoTime() - job.lockRenewedNanos() >= third - early;
  }

  private void renew(List<Due> due) {
    long now = context.nanoTime();
    List<String> keys = new ArrayList<>(3 * due.size());
    List<String> arguments = new ArrayList<>(3 * due.size());
    for (Due one : due) {
      QueueKeys queueKeys = one.queueRuntime().queueKeys();
      String id = one.job().id();
      keys.addAll(List.of(queueKeys.lock(id), queueKeys.job(id), queueKeys.metadata(id)));
      arguments.add(one.worker().id());
      arguments.add(Long.toString(queueKeys.lockSeconds()));
      arguments.add(Long.toString(queueKeys.secondsToLive()));
    }
    List<?> answers =
        (List<?>) RedisReplies.need(context.redis().run(LuaScript.RENEW_LOCKS, keys, arguments));
    for (int i = 0; i < due.size(); i++) {
      LeasedJob job = due.get(i).job();
      if (RedisReplies.number(answers.get(i)) == 1) {
        job.lockRenewed(now);
      } else if (job.stop(LeasedJob.StopCause.LOST, now)) {
        // A job whose handler has returned has no lock to lose, so nothing is reported here.
        LOG.debug("The lock of {} was lost", keys.get(3 * i));
      }
    }
  }

  private void guard(QueueRuntime queueRuntime, QueueWorker worker, LeasedJob job) {
    Duration limit = queueRuntime.queueKeys().policy().handlerTimeout();
    if (limit == null) {
      return;
    }
    long now = context.nanoTime();
    if (job.stopCause() == null && now - job.startNanos() >= limit.toNanos()) {
      job.stop(LeasedJob.StopCause.TIMEOUT, now);
    } else if (job.stopCause() == LeasedJob.StopCause.TIMEOUT
        && job.canStop()
        && now - job.stopRequestedNanos() >= PATIENCE.toNanos()) {
      worker.failUnresponsive(job);
    }
  }

  /**
   * Returns the pause until the next round, short enough that no renewal is late by more than a
   * part of its own time.
   */
  private Duration pause() {
    Duration pause = MAX_PAUSE;
    for (QueueRuntime queueRuntime : queueRuntimes) {
      pause = shorter(pause, queueRuntime.queueKeys().queue().lockTime().dividedBy(6));
      Duration limit = queueRuntime.queueKeys().policy().handlerTimeout();
      pause = limit == null ? pause : shorter(pause, limit.dividedBy(8));
    }
    return pause.compareTo(MIN_PAUSE) < 0 ? MIN_PAUSE : pause;
  }

  private static Duration shorter(Duration one, Duration other) {
    return other.compareTo(one) < 0 ? other : one;
  }
}
