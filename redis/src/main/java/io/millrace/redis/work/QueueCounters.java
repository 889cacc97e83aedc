package io.millrace.redis.work;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts of a queue that are not reported yet. Thread-safe. */
final class QueueCounters {

  /** Kind of event. Its name in lower case is the field in Redis. */
  enum Kind {
    COMPLETED,
    FAILED,
    RETRIED,
    RECOVERED,
    EXPIRED
  }

  private final Map<Kind, LongAdder> counts = new EnumMap<>(Kind.class);

  QueueCounters() {
    for (Kind kind : Kind.values()) {
      counts.put(kind, new LongAdder());
    }
  }

  void count(Kind kind) {
    add(kind, 1);
  }

  void add(Kind kind, long number) {
    LongAdder count = counts.get(kind);
    if (count != null) {
      count.add(number);
    }
  }

  /** Returns the counts and resets them to zero. */
  Map<Kind, Long> drain() {
    Map<Kind, Long> taken = new EnumMap<>(Kind.class);
    counts.forEach((kind, count) -> {
      long number = count.sumThenReset();
      if (number != 0) {
        taken.put(kind, number);
      }
    });
    return taken;
  }
}
