package io.millrace.redis.work;

import io.millrace.lifecycle.Waiter;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.wire.JavaScriptJson;
import io.millrace.redis.wire.ProtocolKeys;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Callers that wait until jobs have finished. They are notified at once of jobs that finish in this
 * process, and poll the others less and less often. Thread-safe.
 */
final class JobFinishWaiters {

  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration MAX_PAUSE = Duration.ofSeconds(1);
  private static final List<String> YES = List.of("true", "\"true\"");

  private final WorkerContext context;
  private final Redis redis;
  private final JavaScriptJson json;
  private final Map<String, List<Waiter>> waiting = new ConcurrentHashMap<>();

  JobFinishWaiters(WorkerContext context) {
    this.context = context;
    this.redis = context.redis();
    this.json = context.json();
  }

  /** Notifies the waiting callers that a job has finished in this process. */
  void finished(String key) {
    waiting.getOrDefault(key, List.of()).forEach(Waiter::wake);
  }

  /**
   * Waits until a job has finished, or does not exist: its field {@code done} is set or it has
   * failed, or one of the flow's queues that have no next queue has completed it.
   *
   * @return false when it has not finished in time
   */
  boolean await(Flow flow, String id, Duration patience) throws InterruptedException {
    String key = ProtocolKeys.job(flow.name(), id);
    Set<String> lastQueues = lastQueues(flow);
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
    return isFinished(ProtocolKeys.job(flow.name(), id), lastQueues(flow));
  }

  private Set<String> lastQueues(Flow flow) {
    return flow.queues().stream()
        .filter(queue -> queue.next() == null)
        .map(Queue::name)
        .map(json::write)
        .collect(Collectors.toSet());
  }

  private boolean isFinished(String key, Set<String> lastQueues) {
    List<@Nullable String> fields =
        RedisReplies.texts(
            RedisReplies.need(redis.call("HMGET", key, "done", "failed", "completed-queue")));
    return isYes(fields.get(0))
        || isYes(fields.get(1))
        || (fields.get(2) != null && lastQueues.contains(fields.get(2)))
        || RedisReplies.number(redis.call("EXISTS", key)) == 0;
  }

  private static boolean isYes(@Nullable String text) {
    return text != null && YES.contains(text);
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
