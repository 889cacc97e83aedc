package io.millrace.redis.admin;

import io.millrace.lifecycle.EngineClock;
import io.millrace.redis.admin.QueueView.Crew;
import io.millrace.redis.admin.QueueView.Depths;
import io.millrace.redis.admin.QueueView.Expired;
import io.millrace.redis.admin.QueueView.Pace;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.wire.Dialect;
import io.millrace.redis.wire.OwnKeys;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads the state of many queues in two round trips, however many there are. Thread-safe. */
final class QueueReader {

  /** Of the replies about a queue those that there are once, and for each level of urgency. */
  private static final int ONCE = 4;

  private static final int EACH_LEVEL = 5;

  /** More jobs than that in processing are not looked at one by one. */
  private static final int MOST_LOCKS = 500;

  /** Five beats; who is not heard of for longer is gone. */
  private static final long SILENT_MILLIS = 10_000;

  private final Redis redis;
  private final Dialect dialect;
  private final Rates rates;

  QueueReader(Redis redis, Dialect dialect, EngineClock clock) {
    this.redis = redis;
    this.dialect = dialect;
    this.rates = new Rates(clock);
  }

  /** In the order of the queues. A key of the wrong type spoils its own queue only. */
  List<QueueView> read(List<QueueNode> queues) {
    try {
      return readAll(queues);
    } catch (RedisReplyException e) {
      return queues.size() == 1
          ? List.of(QueueView.unreadable(queues.getFirst(), String.valueOf(e.getMessage())))
          : queues.stream().flatMap(queue -> read(List.of(queue)).stream()).toList();
    }
  }

  private List<QueueView> readAll(List<QueueNode> queues) {
    List<List<String>> commands = new ArrayList<>();
    commands.add(List.of("TIME"));
    queues.forEach(queue -> commands.addAll(commands(queue)));
    List<@Nullable Object> replies = redis.pipelined(commands);
    long now = Replies.millis(replies.getFirst());
    List<Facts> facts = new ArrayList<>();
    int from = 1;
    for (QueueNode queue : queues) {
      int to = from + ONCE + EACH_LEVEL * queue.levels(dialect).size();
      facts.add(new Facts(queue, replies.subList(from, to)));
      from = to;
    }
    List<Integer> expiring = expiring(facts);
    List<QueueView> views = new ArrayList<>();
    for (int i = 0; i < facts.size(); i++) {
      views.add(view(facts.get(i), expiring.get(i), now));
    }
    return views;
  }

  private List<List<String>> commands(QueueNode node) {
    String queue = node.name();
    List<List<String>> commands = new ArrayList<>();
    commands.add(List.of("ZCARD", OwnKeys.dead(queue)));
    commands.add(List.of("GET", OwnKeys.paused(queue)));
    commands.add(List.of("HGETALL", OwnKeys.workers(queue)));
    commands.add(List.of("HGETALL", OwnKeys.totals(queue)));
    for (int level : node.levels(dialect)) {
      String waiting = dialect.waiting(queue, level);
      String processing = dialect.processing(queue, level);
      commands.add(List.of("LLEN", waiting));
      commands.add(List.of("LLEN", processing));
      commands.add(List.of("ZCARD", dialect.delayed(queue, level)));
      commands.add(List.of("LINDEX", waiting, "0"));
      commands.add(List.of("LRANGE", processing, "0", String.valueOf(MOST_LOCKS - 1)));
    }
    return commands;
  }

  /** The replies to these commands. */
  private record Facts(QueueNode queue, List<@Nullable Object> replies) {

    /** Of all levels. */
    List<@Nullable Object> all(int index) {
      List<@Nullable Object> all = new ArrayList<>();
      for (int i = ONCE + index; i < replies.size(); i += EACH_LEVEL) {
        all.add(replies.get(i));
      }
      return all;
    }

    long sum(int index) {
      return all(index).stream().mapToLong(Replies::number).sum();
    }

    long dead() {
      return Replies.number(replies.get(0));
    }

    /** Of the most urgent level that has one. */
    @Nullable String next() {
      return all(3).stream()
          .map(Replies::text)
          .filter(entry -> entry != null)
          .findFirst()
          .orElse(null);
    }

    List<String> processing() {
      return all(4).stream()
          .flatMap(list -> Replies.texts(list).stream())
          .limit(MOST_LOCKS)
          .toList();
    }

    @Nullable Pause paused() {
      return Pause.of(Replies.text(replies.get(1)));
    }

    Map<String, String> beats() {
      return Replies.pairs(replies.get(2));
    }

    Map<String, String> totals() {
      return Replies.pairs(replies.get(3));
    }
  }

  private List<Integer> expiring(List<Facts> facts) {
    List<List<String>> commands = new ArrayList<>();
    for (Facts one : facts) {
      for (String entry : one.processing()) {
        commands.add(List.of("PTTL", dialect.lock(one.queue().name(), entry)));
      }
    }
    List<@Nullable Object> left = commands.isEmpty() ? List.of() : redis.pipelined(commands);
    List<Integer> expiring = new ArrayList<>();
    int at = 0;
    for (Facts one : facts) {
      int count = 0;
      for (int i = 0; i < one.processing().size(); i++) {
        count += Replies.number(left.get(at++)) < one.queue().lockTime().toMillis() / 3 ? 1 : 0;
      }
      expiring.add(count);
    }
    return expiring;
  }

  private QueueView view(Facts facts, int expiring, long now) {
    Depths depths =
        new Depths(
            facts.sum(0),
            facts.sum(1),
            facts.sum(2),
            facts.dead(),
            facts.next(),
            age(facts.next(), now),
            expiring);
    return new QueueView(
        facts.queue(),
        depths,
        facts.paused(),
        crew(facts.beats(), now),
        pace(facts),
        expired(facts.totals()),
        null);
  }

  private static @Nullable Duration age(@Nullable String entry, long now) {
    return entry == null
        ? null
        : Replies.madeAt(id(entry))
            .map(made -> Duration.ofMillis(Math.max(0, now - made.toEpochMilli())))
            .orElse(null);
  }

  /** The id of an entry, which in some dialects follows its flow. */
  static String id(String entry) {
    return entry.substring(entry.lastIndexOf(':') + 1);
  }

  private static Crew crew(Map<String, String> beats, long now) {
    int workers = 0;
    int busy = 0;
    for (String text : beats.values()) {
      JsonNode beat = Replies.json(text).orElse(null);
      if (beat != null && now - moment(beat.path("beat")) < SILENT_MILLIS) {
        workers += beat.path("workers").asInt(0);
        busy += beat.path("busy").asInt(0);
      }
    }
    return new Crew(workers, busy);
  }

  private static long moment(JsonNode time) {
    return time.isString()
        ? Replies.time(time.stringValue()).map(Instant::toEpochMilli).orElse(0L)
        : time.asLong(0);
  }

  private static Expired expired(Map<String, String> totals) {
    long total = Replies.number(totals.get("expired"));
    long last = Replies.number(totals.get("expiredAt"));
    return total <= 0 ? Expired.NONE : new Expired(total, Instant.ofEpochMilli(last));
  }

  private Pace pace(Facts facts) {
    long completed = Replies.number(facts.totals().get("completed"));
    long failed = Replies.number(facts.totals().get("failed"));
    String queue = facts.queue().name();
    return new Pace(
        completed,
        failed,
        rates.perMinute(queue + " completed", completed),
        rates.perMinute(queue + " failed", failed));
  }
}
