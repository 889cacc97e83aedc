package io.millrace.redis.work;

import io.millrace.lifecycle.IntervalThrottle;
import io.millrace.lifecycle.Loop;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.connect.RedisUnavailableException;
import io.millrace.redis.wire.LuaScript;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves delayed jobs that are due to the waiting list. Every process does so for the queues that it
 * works on. The script moves only jobs that it has removed itself, so none is moved twice.
 * Thread-safe.
 */
final class DelayedJobPromoter implements Loop.Work {

  private static final Logger LOG = LoggerFactory.getLogger(DelayedJobPromoter.class);

  /** Longest pause, since another process may delay a job without this one knowing. */
  private static final Duration MAX_PAUSE = Duration.ofSeconds(1);

  private static final int BATCH = 500;

  private final Redis redis;
  private final List<QueueRuntime> queueRuntimes;
  private final IntervalThrottle warningThrottle;

  DelayedJobPromoter(WorkerContext context, List<QueueRuntime> queueRuntimes) {
    this.redis = context.redis();
    this.queueRuntimes = queueRuntimes;
    this.warningThrottle =
        new IntervalThrottle(context.runtime().clock(), QueueRuntime.BETWEEN_WARNINGS);
  }

  /** Moves the due jobs, and returns the time until the next job is due. */
  @Override
  public Duration tick() {
    Duration pause = MAX_PAUSE;
    for (QueueRuntime queueRuntime : queueRuntimes) {
      Duration next = sweep(queueRuntime);
      pause = next.compareTo(pause) < 0 ? next : pause;
    }
    return pause;
  }

  private Duration sweep(QueueRuntime queueRuntime) {
    QueueKeys queueKeys = queueRuntime.queueKeys();
    try {
      List<?> answer =
          (List<?>)
              RedisReplies.need(
                  redis.run(LuaScript.PROMOTE, keys(queueKeys), arguments(queueKeys)));
      long moved = RedisReplies.number(answer.get(0));
      long next = RedisReplies.number(answer.get(1));
      queueRuntime.counters().add(QueueCounters.Kind.EXPIRED, RedisReplies.number(answer.get(2)));
      if (moved > 0) {
        LOG.debug("{} delayed jobs of queue {} were due", moved, queueKeys.name());
      }
      return next < 0 ? MAX_PAUSE : Duration.ofMillis(next);
    } catch (RedisUnavailableException | RedisReplyException e) {
      if (warningThrottle.permits()) {
        LOG.warn(
            "The delayed jobs of queue {} could not be moved, will retry: {}",
            queueKeys.name(),
            e.getMessage());
      }
      return MAX_PAUSE;
    }
  }

  private static List<String> keys(QueueKeys queueKeys) {
    return List.of(queueKeys.delayed(), queueKeys.waiting());
  }

  private static List<String> arguments(QueueKeys queueKeys) {
    List<String> keys = queueKeys.keys();
    return List.of(keys.get(2), keys.get(4), keys.get(5), Integer.toString(BATCH));
  }
}
