package io.millrace.redis.admin;

import io.millrace.lifecycle.EngineClock;
import io.millrace.redis.admin.QueueView.ExpiredJobs;
import io.millrace.redis.admin.QueueView.JobCounts;
import io.millrace.redis.admin.QueueView.Throughput;
import io.millrace.redis.admin.QueueView.WorkerCounts;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.wire.MillraceKeys;
import io.millrace.redis.wire.ProtocolKeys;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads the state of many queues in two round trips, however many there are. Thread-safe. */
final class QueueReader {

  /** Number of replies about a queue. */
  private static final int EACH = 9;

  /** Upper limit of the processing jobs whose locks are checked one by one. */
  private static final int MAX_LOCKS = 500;

  /** Time of five heartbeats; a process that is silent for longer counts as gone. */
  private static final long SILENT_MILLIS = 10_000;

  private final Redis redis;
  private final RateMeter rateMeter;

  QueueReader(Redis redis, EngineClock clock) {
    this.redis = redis;
    this.rateMeter = new RateMeter(clock);
  }

  /**
   * Returns the state of the queues, in their order. A key of the wrong type affects only its own
   * queue.
   */
  List<QueueView> read(List<RegisteredQueue> queues) {
    try {
      return readAll(queues);
    } catch (RedisReplyException e) {
      return queues.size() == 1
          ? List.of(QueueView.unreadable(queues.getFirst(), String.valueOf(e.getMessage())))
          : queues.stream().flatMap(queue -> read(List.of(queue)).stream()).toList();
    }
  }

  private List<QueueView> readAll(List<RegisteredQueue> queues) {
    List<List<String>> commands = new ArrayList<>();
    commands.add(List.of("TIME"));
    queues.forEach(queue -> commands.addAll(commands(queue.name())));
    List<@Nullable Object> replies = redis.pipelined(commands);
    long now = AdminReplies.millis(replies.getFirst());
    List<QueueReplies> facts = new ArrayList<>();
    int from = 1;
    for (RegisteredQueue queue : queues) {
      facts.add(new QueueReplies(queue, replies.subList(from, from + EACH)));
      from += EACH;
    }
    List<Integer> expiring = expiring(facts);
    List<QueueView> views = new ArrayList<>();
    for (int i = 0; i < facts.size(); i++) {
      views.add(view(facts.get(i), expiring.get(i), now));
    }
    return views;
  }

  private static List<List<String>> commands(String queue) {
    String waiting = ProtocolKeys.waiting(queue);
    String processing = ProtocolKeys.processing(queue);
    return List.of(
        List.of("LLEN", waiting),
        List.of("LLEN", processing),
        List.of("ZCARD", MillraceKeys.delayed(queue)),
        List.of("ZCARD", MillraceKeys.dead(queue)),
        List.of("LINDEX", waiting, "0"),
        List.of("LRANGE", processing, "0", String.valueOf(MAX_LOCKS - 1)),
        List.of("GET", MillraceKeys.paused(queue)),
        List.of("HGETALL", MillraceKeys.workers(queue)),
        List.of("HGETALL", MillraceKeys.totals(queue)));
  }

  /** The replies to the commands about a queue. */
  private record QueueReplies(RegisteredQueue queue, List<@Nullable Object> replies) {

    long number(int index) {
      return AdminReplies.number(replies.get(index));
    }

    @Nullable String next() {
      return AdminReplies.text(replies.get(4));
    }

    List<String> processing() {
      return AdminReplies.texts(replies.get(5));
    }

    @Nullable QueuePause paused() {
      return QueuePause.of(AdminReplies.text(replies.get(6)));
    }

    Map<String, String> heartbeats() {
      return AdminReplies.pairs(replies.get(7));
    }

    Map<String, String> totals() {
      return AdminReplies.pairs(replies.get(8));
    }
  }

  private List<Integer> expiring(List<QueueReplies> facts) {
    List<List<String>> commands = new ArrayList<>();
    for (QueueReplies one : facts) {
      for (String id : one.processing()) {
        commands.add(List.of("PTTL", ProtocolKeys.lock(one.queue().name(), id)));
      }
    }
    List<@Nullable Object> left = commands.isEmpty() ? List.of() : redis.pipelined(commands);
    List<Integer> expiring = new ArrayList<>();
    int at = 0;
    for (QueueReplies one : facts) {
      int count = 0;
      for (int i = 0; i < one.processing().size(); i++) {
        count +=
            AdminReplies.number(left.get(at++)) < one.queue().lockTime().toMillis() / 3 ? 1 : 0;
      }
      expiring.add(count);
    }
    return expiring;
  }

  private QueueView view(QueueReplies queueReplies, int expiring, long now) {
    JobCounts jobCounts =
        new JobCounts(
            queueReplies.number(0),
            queueReplies.number(1),
            queueReplies.number(2),
            queueReplies.number(3),
            queueReplies.next(),
            age(queueReplies.next(), now),
            expiring);
    return new QueueView(
        queueReplies.queue(),
        jobCounts,
        queueReplies.paused(),
        workerCounts(queueReplies.heartbeats(), now),
        pace(queueReplies),
        expired(queueReplies.totals()),
        null);
  }

  private static @Nullable Duration age(@Nullable String id, long now) {
    return id == null
        ? null
        : AdminReplies.madeAt(id)
            .map(created -> Duration.ofMillis(Math.max(0, now - created.toEpochMilli())))
            .orElse(null);
  }

  private static WorkerCounts workerCounts(Map<String, String> heartbeats, long now) {
    int workers = 0;
    int busy = 0;
    for (String text : heartbeats.values()) {
      JsonNode beat = AdminReplies.json(text).orElse(null);
      if (beat != null && now - moment(beat.path("beat")) < SILENT_MILLIS) {
        workers += beat.path("workers").asInt(0);
        busy += beat.path("busy").asInt(0);
      }
    }
    return new WorkerCounts(workers, busy);
  }

  private static long moment(JsonNode time) {
    return time.isString()
        ? AdminReplies.time(time.stringValue()).map(Instant::toEpochMilli).orElse(0L)
        : time.asLong(0);
  }

  private static ExpiredJobs expired(Map<String, String> totals) {
    long total = AdminReplies.number(totals.get("expired"));
    long last = AdminReplies.number(totals.get("expiredAt"));
    return total <= 0 ? ExpiredJobs.NONE : new ExpiredJobs(total, Instant.ofEpochMilli(last));
  }

  private Throughput pace(QueueReplies queueReplies) {
    long completed = AdminReplies.number(queueReplies.totals().get("completed"));
    long failed = AdminReplies.number(queueReplies.totals().get("failed"));
    String queue = queueReplies.queue().name();
    return new Throughput(
        completed,
        failed,
        rateMeter.perMinute(queue + " completed", completed),
        rateMeter.perMinute(queue + " failed", failed));
  }
}
