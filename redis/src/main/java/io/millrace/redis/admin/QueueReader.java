package io.millrace.redis.admin;

import io.millrace.lifecycle.EngineClock;
import io.millrace.redis.admin.QueueView.ExpiredJobs;
import io.millrace.redis.admin.QueueView.JobCounts;
import io.millrace.redis.admin.QueueView.Throughput;
import io.millrace.redis.admin.QueueView.WorkerCounts;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.wire.MillraceKeys;
import io.millrace.redis.wire.RedisDialect;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads the state of many queues in two round trips, however many there are. Thread-safe. */
final class QueueReader {

  /** Number of replies about a queue as a whole; those of each level follow. */
  private static final int ONCE = 4;

  private static final int EACH_LEVEL = 5;

  /** Upper limit of the processing jobs whose locks are checked one by one. */
  private static final int MAX_LOCKS = 500;

  /** Time of five heartbeats; a process that is silent for longer counts as gone. */
  private static final long SILENT_MILLIS = 10_000;

  private final Redis redis;
  private final RedisDialect dialect;
  private final RateMeter rateMeter;

  QueueReader(Redis redis, RedisDialect dialect, EngineClock clock) {
    this.redis = redis;
    this.dialect = dialect;
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
    queues.forEach(queue -> commands.addAll(commands(queue)));
    List<@Nullable Object> replies = redis.pipelined(commands);
    long now = AdminReplies.millis(replies.getFirst());
    List<QueueReplies> facts = new ArrayList<>();
    int from = 1;
    for (RegisteredQueue queue : queues) {
      int to = from + ONCE + EACH_LEVEL * queue.levels(dialect).size();
      facts.add(new QueueReplies(queue, replies.subList(from, to)));
      from = to;
    }
    List<Integer> expiring = expiring(facts);
    List<QueueView> views = new ArrayList<>();
    for (int i = 0; i < facts.size(); i++) {
      views.add(view(facts.get(i), expiring.get(i), now));
    }
    return views;
  }

  private List<List<String>> commands(RegisteredQueue node) {
    String queue = node.name();
    List<List<String>> commands = new ArrayList<>();
    commands.add(List.of("ZCARD", MillraceKeys.dead(queue)));
    commands.add(List.of("GET", MillraceKeys.paused(queue)));
    commands.add(List.of("HGETALL", MillraceKeys.workers(queue)));
    commands.add(List.of("HGETALL", MillraceKeys.totals(queue)));
    for (int level : node.levels(dialect)) {
      String waiting = dialect.waiting(queue, level);
      String processing = dialect.processing(queue, level);
      commands.add(List.of("LLEN", waiting));
      commands.add(List.of("LLEN", processing));
      commands.add(List.of("ZCARD", dialect.delayed(queue, level)));
      commands.add(List.of("LINDEX", waiting, "0"));
      commands.add(List.of("LRANGE", processing, "0", String.valueOf(MAX_LOCKS - 1)));
    }
    return commands;
  }

  /** The replies to the commands about a queue. */
  private record QueueReplies(RegisteredQueue queue, List<@Nullable Object> replies) {

    /** Returns the replies at an index of all levels. */
    List<@Nullable Object> all(int index) {
      List<@Nullable Object> all = new ArrayList<>();
      for (int i = ONCE + index; i < replies.size(); i += EACH_LEVEL) {
        all.add(replies.get(i));
      }
      return all;
    }

    long sum(int index) {
      return all(index).stream().mapToLong(AdminReplies::number).sum();
    }

    long dead() {
      return AdminReplies.number(replies.get(0));
    }

    /** Returns the next entry of the highest priority level that has one. */
    @Nullable String next() {
      return all(3).stream()
          .map(AdminReplies::text)
          .filter(entry -> entry != null)
          .findFirst()
          .orElse(null);
    }

    List<String> processing() {
      return all(4).stream()
          .flatMap(list -> AdminReplies.texts(list).stream())
          .limit(MAX_LOCKS)
          .toList();
    }

    @Nullable QueuePause paused() {
      return QueuePause.of(AdminReplies.text(replies.get(1)));
    }

    Map<String, String> beats() {
      return AdminReplies.pairs(replies.get(2));
    }

    Map<String, String> totals() {
      return AdminReplies.pairs(replies.get(3));
    }
  }

  private List<Integer> expiring(List<QueueReplies> facts) {
    List<List<String>> commands = new ArrayList<>();
    for (QueueReplies one : facts) {
      for (String entry : one.processing()) {
        commands.add(List.of("PTTL", dialect.lock(one.queue().name(), entry)));
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
            queueReplies.sum(0),
            queueReplies.sum(1),
            queueReplies.sum(2),
            queueReplies.dead(),
            queueReplies.next(),
            age(queueReplies.next(), now),
            expiring);
    return new QueueView(
        queueReplies.queue(),
        jobCounts,
        queueReplies.paused(),
        crew(queueReplies.beats(), now),
        pace(queueReplies),
        expired(queueReplies.totals()),
        null);
  }

  private static @Nullable Duration age(@Nullable String entry, long now) {
    return entry == null
        ? null
        : AdminReplies.madeAt(id(entry))
            .map(made -> Duration.ofMillis(Math.max(0, now - made.toEpochMilli())))
            .orElse(null);
  }

  /** Returns the id in an entry, which in some dialects follows the flow. */
  static String id(String entry) {
    return entry.substring(entry.lastIndexOf(':') + 1);
  }

  private static WorkerCounts crew(Map<String, String> beats, long now) {
    int workers = 0;
    int busy = 0;
    for (String text : beats.values()) {
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
