package io.millrace.store;

import io.millrace.instance.FailureGroup;
import io.millrace.instance.StateCount;
import io.millrace.instance.StateTiming;
import io.millrace.instance.StatisticsBucket;
import io.millrace.instance.TypeCount;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Statistics of instances in the live tables; archived and deleted ones are not counted. */
public interface StatisticsStore {

  /** Counts open and failed instances by type and status, without zero counts. */
  List<TypeCount> countsByType();

  /** Counts open and failed instances of a type by version, state and status. */
  List<StateCount> countsByState(String type);

  /**
   * Returns failed instances, and those left to an operator by a failure, grouped by {@link
   * FailureFingerprint}, the largest groups first.
   *
   * @param type null for all
   */
  List<FailureGroup> failures(@Nullable String type, int limit);

  /**
   * Returns the numbers of started and ended instances, in buckets of equal length, including empty
   * ones. Events that {@link #rollUp} has not counted yet are missing: at least those of the last
   * one to two minutes.
   *
   * <p>Counts by minute are kept for two days and counts by hour for ever. Counts by hour are used
   * for buckets of whole hours that start on the hour, and for ranges that start earlier than two
   * days ago. Each hour then belongs to the bucket in which it starts.
   *
   * @param from rounded down to the minute, or to the hour
   * @param to exclusive
   * @param bucketLength whole minutes, at least one; at most 10,000 buckets
   * @param type null for all
   * @throws io.millrace.instance.InvalidRequestException if the buckets are too small or too many
   */
  List<StatisticsBucket> series(
      Instant from, Instant to, Duration bucketLength, @Nullable String type);

  /** Returns the due time of the instance that waits longest for an executor; empty for none. */
  Optional<Instant> oldestDue();

  /**
   * Returns the durations of handlers and their next states, by state, from the histories of the
   * newest instances of a type, limited to {@link StateTimings#MAX_ATTEMPTS} attempts.
   *
   * @param sample number of instances, at most 1,000
   */
  List<StateTiming> timings(String type, int sample);

  /**
   * Counts for {@link #series} the starts and ends since the last call, up to a minute before
   * {@code now}, in one transaction of bounded size. Only one node does so at a time; calls of
   * others return 0.
   *
   * <p>Each start is counted once, if its instance exists a minute after it; a start whose
   * transaction took longer may be missed. Each end is counted once if it still stands a minute
   * later. When a failed instance is retried, its failure stays counted and its next end is counted
   * as well.
   *
   * @return number of counted starts and ends; call again until it is 0
   */
  int rollUp(Instant now);
}
