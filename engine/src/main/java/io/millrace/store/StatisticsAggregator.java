package io.millrace.store;

import io.millrace.instance.InstanceStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.TreeMap;

/**
 * The starts and ends, counted by minute and hour for {@link StatisticsStore#rollUp}. Not
 * thread-safe.
 */
public final class StatisticsAggregator {

  /** Time for which counts by minute are kept. */
  public static final Duration MINUTES_KEPT = Duration.ofDays(2);

  /** Longest duration of transactions whose rows are counted. */
  private static final Duration OPEN = Duration.ofMinutes(1);

  /** The period of time that is counted together. */
  public enum Granularity {
    MINUTE("minute", ChronoUnit.MINUTES),
    HOUR("hour", ChronoUnit.HOURS);

    private final String code;
    private final ChronoUnit unit;

    Granularity(String code, ChronoUnit unit) {
      this.code = code;
      this.unit = unit;
    }

    /** Returns the name in tables. */
    public String code() {
      return code;
    }

    /** Returns the start of the minute or hour. */
    public Instant floor(Instant time) {
      return time.truncatedTo(unit);
    }
  }

  /** The key of a count. */
  public record Key(Granularity grain, Instant bucket, String type) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int byGrain = grain.compareTo(other.grain);
      int byTime = byGrain != 0 ? byGrain : bucket.compareTo(other.bucket);
      return byTime != 0 ? byTime : type.compareTo(other.type);
    }
  }

  /**
   * The counts of events.
   *
   * @param micros sum of the durations of all finished instances
   */
  public record Counts(long started, long finished, long failed, long cancelled, long micros) {
    public static final Counts NONE = new Counts(0, 0, 0, 0, 0);

    public Counts plus(Counts more) {
      return new Counts(
          started + more.started,
          finished + more.finished,
          failed + more.failed,
          cancelled + more.cancelled,
          micros + more.micros);
    }
  }

  private final Map<Key, Counts> counts = new TreeMap<>();
  private final Instant now;

  public StatisticsAggregator(Instant now) {
    this.now = now;
  }

  /** Returns the time from which rows are not counted yet. */
  public Instant horizon() {
    return Granularity.MINUTE.floor(now.minus(OPEN));
  }

  /** Returns the start of the oldest minute that is kept. */
  public static Instant keptFrom(Instant now) {
    return Granularity.MINUTE.floor(now.minus(MINUTES_KEPT));
  }

  public void started(String type, Instant created) {
    add(type, created, new Counts(1, 0, 0, 0, 0));
  }

  public void ended(String type, InstanceStatus status, Instant created, Instant ended) {
    Counts one =
        switch (status) {
          case FINISHED ->
              new Counts(0, 1, 0, 0, Math.max(0, ChronoUnit.MICROS.between(created, ended)));
          case FAILED -> new Counts(0, 0, 1, 0, 0);
          case CANCELLED -> new Counts(0, 0, 0, 1, 0);
          case CREATED, IN_PROGRESS, EXECUTING, PAUSED, MANUAL -> Counts.NONE;
        };
    add(type, ended, one);
  }

  private void add(String type, Instant time, Counts one) {
    for (Granularity granularity : Granularity.values()) {
      if (granularity == Granularity.HOUR || !time.isBefore(keptFrom(now))) {
        counts.merge(new Key(granularity, granularity.floor(time), type), one, Counts::plus);
      }
    }
  }

  /** Returns all counts, ordered by grain, time and type. */
  public Map<Key, Counts> counts() {
    return counts;
  }
}
