package io.millrace.redis.work;

import io.millrace.lifecycle.Waiter;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.FlowJson;
import io.millrace.redis.wire.LuaScript;
import io.millrace.redis.wire.ProtocolKeys;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Callers that wait until jobs have finished. They are notified at once of jobs that finish in this
 * process, and poll the others less and less often. Thread-safe.
 */
final class JobFinishWaiters {

  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration MAX_PAUSE = Duration.ofSeconds(1);

  private final WorkerContext context;
  private final Redis redis;
  private final Map<String, List<Waiter>> waiting = new ConcurrentHashMap<>();

  JobFinishWaiters(WorkerContext context) {
    this.context = context;
    this.redis = context.redis();
  }

  /** Notifies the waiting callers that a job has finished in this process. */
  void finished(String key) {
    waiting.getOrDefault(key, List.of()).forEach(Waiter::wake);
  }

  /**
   * Waits until a job has finished, or does not exist.
   *
   * @return false when it has not finished in time
   */
  boolean await(Flow flow, String id, Duration patience) throws InterruptedException {
    String key = ProtocolKeys.job(flow.name(), id);
    String lastQueues = FlowJson.lastQueues(flow);
    Waiter waiter = context.runtime().runner().waiter();
    waiting.compute(key, (k, known) -> with(known, waiter));
    try {
      long end = context.nanoTime() + TimeUnit.NANOSECONDS.convert(patience);
      Duration pause = FIRST_PAUSE;
      while (!isFinished(key, lastQueues)) {
        long left = end - context.nanoTime();
        if (left <= 0) {
          return false;
        }
        waiter.await(shorter(pause, Duration.ofNanos(left)));
        pause = shorter(pause.multipliedBy(2), MAX_PAUSE);
      }
      return true;
    } finally {
      waiting.computeIfPresent(key, (k, known) -> without(known, waiter));
    }
  }

  /** Returns true if a job has finished, or does not exist. */
  boolean isFinished(Flow flow, String id) {
    return isFinished(ProtocolKeys.job(flow.name(), id), FlowJson.lastQueues(flow));
  }

  private boolean isFinished(String key, String lastQueues) {
    Object reply = redis.run(LuaScript.IS_FINISHED, List.of(key), List.of(lastQueues));
    return RedisReplies.number(reply) == 1;
  }

  private static List<Waiter> with(@Nullable List<Waiter> known, Waiter waiter) {
    List<Waiter> more = known == null ? new CopyOnWriteArrayList<>() : known;
    more.add(waiter);
    return more;
  }

  private static @Nullable List<Waiter> without(List<Waiter> known, Waiter waiter) {
    known.remove(waiter);
    return known.isEmpty() ? null : known;
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
