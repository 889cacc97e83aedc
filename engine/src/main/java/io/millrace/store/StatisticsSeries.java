package io.millrace.store;

import io.millrace.instance.InvalidRequestException;
import io.millrace.store.StatisticsAggregator.Counts;
import io.millrace.store.StatisticsAggregator.Granularity;
import io.millrace.store.StatisticsStore.Bucket;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The steps of {@link StatisticsStore#series}, and their counts.
 *
 * @param grain granularity of the counts
 * @param from start of the first step
 * @param to exclusive
 */
public record StatisticsSeries(Granularity grain, Instant from, Instant to, Duration step) {

  private static final int MAX_STEPS = 10_000;
  private static final Duration HOUR = Duration.ofHours(1);

  /**
   * Returns the requested steps.
   *
   * @param now the database's time
   * @throws InvalidRequestException if the steps are too small or too many
   */
  public static StatisticsSeries of(Instant from, Instant to, Duration step, Instant now) {
    if (step.compareTo(Duration.ofMinutes(1)) < 0
        || !step.equals(step.truncatedTo(ChronoUnit.MINUTES))) {
      throw new InvalidRequestException(
          "The step of a series is " + step + ", expected whole minutes, at least one.");
    }
    boolean whole =
        step.toSeconds() % HOUR.toSeconds() == 0 && Granularity.HOUR.floor(from).equals(from);
    Granularity granularity =
        whole || from.isBefore(StatisticsAggregator.keptFrom(now))
            ? Granularity.HOUR
            : Granularity.MINUTE;
    StatisticsSeries statisticsSeries =
        new StatisticsSeries(granularity, granularity.floor(from), to, step);
    if (statisticsSeries.steps() > MAX_STEPS) {
      throw new InvalidRequestException(
          "A series from "
              + from
              + " to "
              + to
              + " by "
              + step
              + " has "
              + statisticsSeries.steps()
              + " steps, expected at most "
              + MAX_STEPS
              + ". Ask for longer steps or for less time.");
    }
    return statisticsSeries;
  }

  /**
   * Returns the number of steps. A part of a second counts as a whole one, since events before it
   * are included.
   */
  private long steps() {
    long seconds = to.getEpochSecond() - from.getEpochSecond() + (to.getNano() > 0 ? 1 : 0);
    return Math.max(0, Math.ceilDiv(seconds, step.toSeconds()));
  }

  /** Counts from {@code start} on. */
  public record TimedCounts(Instant start, Counts counts) {}

  /** Returns the steps with their counts, all between from and to. */
  public List<Bucket> buckets(List<TimedCounts> counted) {
    Counts[] sums = new Counts[Math.toIntExact(steps())];
    Arrays.fill(sums, Counts.NONE);
    for (TimedCounts one : counted) {
      long seconds = one.start.getEpochSecond() - from.getEpochSecond();
      int place = Math.toIntExact(seconds / step.toSeconds());
      sums[place] = sums[place].plus(one.counts);
    }
    return IntStream.range(0, sums.length)
        .mapToObj(i -> bucket(from.plus(step.multipliedBy(i)), sums[i]))
        .toList();
  }

  private static Bucket bucket(Instant start, Counts sum) {
    return new Bucket(
        start,
        sum.started(),
        sum.finished(),
        sum.failed(),
        sum.cancelled(),
        sum.finished() == 0 ? null : Duration.of(sum.micros() / sum.finished(), ChronoUnit.MICROS));
  }
}
