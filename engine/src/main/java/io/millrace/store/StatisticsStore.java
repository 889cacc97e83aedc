package io.millrace.store;

import io.millrace.instance.InstanceStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Statistics of instances in the live tables; archived and deleted ones are not counted. */
public interface StatisticsStore {

  /** Counts open and failed instances by type and status, without zero counts. */
  List<TypeCount> countsByType();

  /** Counts open and failed instances of a type by version, state and status. */
  List<StateCount> countsByState(String type);

  /**
   * Returns failed instances, and those left to a person by a failure, grouped by {@link
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
  List<Bucket> series(Instant from, Instant to, Duration bucketLength, @Nullable String type);

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

  record TypeCount(String type, InstanceStatus status, long count) {}

  record StateCount(int version, String state, InstanceStatus status, long count) {}

  /**
   * Instances that failed alike.
   *
   * @param state the state of the newest instance
   * @param newest the instance that was started last
   * @param first when the first of them ended; for those left to a person, when the oldest instance
   *     last changed
   * @param last the same of the last one
   */
  record FailureGroup(
      String fingerprint,
      String type,
      String state,
      long count,
      Newest newest,
      Instant first,
      Instant last) {

    /** The newest instance of the group, and the reason of its state. */
    public record Newest(long instanceId, @Nullable String reason) {}
  }

  /**
   * The counts of a bucket that starts with {@code start}.
   *
   * @param meanDuration from start to end of finished instances; null for none
   */
  record Bucket(
      Instant start,
      long started,
      long finished,
      long failed,
      long cancelled,
      @Nullable Duration meanDuration) {}

  /**
   * The durations and next states of the handler of a state.
   *
   * @param count attempts
   * @param failed attempts that failed
   * @param moves number of successful attempts by the name of the next state
   */
  record StateTiming(
      String state,
      long count,
      long failed,
      Duration p50,
      Duration p95,
      Duration max,
      Map<String, Long> moves) {
    public StateTiming {
      moves = Collections.unmodifiableMap(new TreeMap<>(moves));
    }
  }
}
