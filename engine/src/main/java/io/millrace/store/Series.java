package io.millrace.store;

import io.millrace.instance.InvalidRequestException;
import io.millrace.store.StatisticsStore.Bucket;
import io.millrace.store.Tally.Counts;
import io.millrace.store.Tally.Grain;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The steps of {@link StatisticsStore#series}, and what falls into them.
 *
 * @param grain the counts it is made of
 * @param from the beginning of the first step
 * @param to exclusive
 */
public record Series(Grain grain, Instant from, Instant to, Duration step) {

  private static final int MOST_STEPS = 10_000;
  private static final Duration HOUR = Duration.ofHours(1);

  /**
   * The steps asked for.
   *
   * @param now the database's time
   * @throws InvalidRequestException when the steps are too small or too many
   */
  public static Series of(Instant from, Instant to, Duration step, Instant now) {
    if (step.compareTo(Duration.ofMinutes(1)) < 0
        || !step.equals(step.truncatedTo(ChronoUnit.MINUTES))) {
      throw new InvalidRequestException(
          "The step of a series is " + step + ", expected whole minutes, at least one.");
    }
    boolean whole = step.toSeconds() % HOUR.toSeconds() == 0 && Grain.HOUR.floor(from).equals(from);
    Grain grain = whole || from.isBefore(Tally.keptFrom(now)) ? Grain.HOUR : Grain.MINUTE;
    Series series = new Series(grain, grain.floor(from), to, step);
    if (series.steps() > MOST_STEPS) {
      throw new InvalidRequestException(
          "A series from "
              + from
              + " to "
              + to
              + " by "
              + step
              + " has "
              + series.steps()
              + " steps, expected at most "
              + MOST_STEPS
              + ". Ask for longer steps or for less time.");
    }
    return series;
  }

  /** A part of a second counts too: what begins before it is among the counts. */
  private long steps() {
    long seconds = to.getEpochSecond() - from.getEpochSecond() + (to.getNano() > 0 ? 1 : 0);
    return Math.max(0, Math.ceilDiv(seconds, step.toSeconds()));
  }

  /** What was counted from {@code start} on. */
  public record Counted(Instant start, Counts counts) {}

  /** The steps with what was counted in them, all between from and to. */
  public List<Bucket> buckets(List<Counted> counted) {
    Counts[] sums = new Counts[Math.toIntExact(steps())];
    Arrays.fill(sums, Counts.NONE);
    for (Counted one : counted) {
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
