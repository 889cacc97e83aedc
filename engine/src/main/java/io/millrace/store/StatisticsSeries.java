package io.millrace.store;

import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.StatisticsBucket;
import io.millrace.store.StatisticsAggregator.Counts;
import io.millrace.store.StatisticsAggregator.Granularity;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The buckets of {@link StatisticsStore#series}, and their counts.
 *
 * @param grain granularity of the counts
 * @param from start of the first bucket
 * @param to exclusive
 */
public record StatisticsSeries(Granularity grain, Instant from, Instant to, Duration bucketLength) {

  private static final int MAX_BUCKETS = 10_000;
  private static final Duration HOUR = Duration.ofHours(1);

  /**
   * Returns the requested buckets.
   *
   * @param now the database's time
   * @throws InvalidRequestException if the buckets are too small or too many
   */
  public static StatisticsSeries of(Instant from, Instant to, Duration bucketLength, Instant now) {
    if (bucketLength.compareTo(Duration.ofMinutes(1)) < 0
        || !bucketLength.equals(bucketLength.truncatedTo(ChronoUnit.MINUTES))) {
      throw new InvalidRequestException(
          "The buckets of a series last "
              + bucketLength
              + ", expected whole minutes, at least one.");
    }
    boolean whole =
        bucketLength.toSeconds() % HOUR.toSeconds() == 0
            && Granularity.HOUR.floor(from).equals(from);
    Granularity granularity =
        whole || from.isBefore(StatisticsAggregator.keptFrom(now))
            ? Granularity.HOUR
            : Granularity.MINUTE;
    StatisticsSeries statisticsSeries =
        new StatisticsSeries(granularity, granularity.floor(from), to, bucketLength);
    if (statisticsSeries.bucketCount() > MAX_BUCKETS) {
      throw new InvalidRequestException(
          "A series from "
              + from
              + " to "
              + to
              + " by "
              + bucketLength
              + " has "
              + statisticsSeries.bucketCount()
              + " buckets, expected at most "
              + MAX_BUCKETS
              + ". Ask for longer buckets or for less time.");
    }
    return statisticsSeries;
  }

  /**
   * Returns the number of buckets. A part of a second counts as a whole one, since events before it
   * are included.
   */
  private long bucketCount() {
    long seconds = to.getEpochSecond() - from.getEpochSecond() + (to.getNano() > 0 ? 1 : 0);
    return Math.max(0, Math.ceilDiv(seconds, bucketLength.toSeconds()));
  }

  /** Counts from {@code start} on. */
  public record TimedCounts(Instant start, Counts counts) {}

  /** Returns the buckets with their counts, all between from and to. */
  public List<StatisticsBucket> buckets(List<TimedCounts> counted) {
    Counts[] sums = new Counts[Math.toIntExact(bucketCount())];
    Arrays.fill(sums, Counts.NONE);
    for (TimedCounts one : counted) {
      long seconds = one.start.getEpochSecond() - from.getEpochSecond();
      int place = Math.toIntExact(seconds / bucketLength.toSeconds());
      sums[place] = sums[place].plus(one.counts);
    }
    return IntStream.range(0, sums.length)
        .mapToObj(i -> bucket(from.plus(bucketLength.multipliedBy(i)), sums[i]))
        .toList();
  }

  private static StatisticsBucket bucket(Instant start, Counts sum) {
    return new StatisticsBucket(
        start,
        sum.started(),
        sum.finished(),
        sum.failed(),
        sum.cancelled(),
        sum.finished() == 0 ? null : Duration.of(sum.micros() / sum.finished(), ChronoUnit.MICROS));
  }
}
