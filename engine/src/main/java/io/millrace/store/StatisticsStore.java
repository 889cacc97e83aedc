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

/** Numbers about many instances, in the live tables; what is archived or deleted is not counted. */
public interface StatisticsStore {

  /** Counts open and failed instances by type and status, without zero counts. */
  List<TypeCount> countsByType();

  /** Counts open and failed instances of a type by version, state and status. */
  List<StateCount> countsByState(String type);

  /**
   * Failed instances, and those left to a person by a failure, grouped by {@link
   * FailureFingerprint}, the largest groups first.
   *
   * @param type null for all
   */
  List<FailureGroup> failures(@Nullable String type, int limit);

  /**
   * What was started and what ended, in equal steps of time, empty ones included. What {@link
   * #rollUp} has not counted yet is missing: the last one to two minutes, at least.
   *
   * <p>Minutes are kept for two days and hours for ever. From hours are made: steps of whole hours
   * that begin with a full one, and all that begins earlier than two days ago; each hour then falls
   * into the step in which it begins.
   *
   * @param from rounded down to the minute, or to the hour
   * @param to exclusive
   * @param step whole minutes, at least one; at most 10,000 steps
   * @param type null for all
   * @throws io.millrace.instance.InvalidRequestException when the steps are too small or too many
   */
  List<Bucket> series(Instant from, Instant to, Duration step, @Nullable String type);

  /** Returns the due time of the instance that waits longest for an executor; empty for none. */
  Optional<Instant> oldestDue();

  /**
   * How long handlers ran and where they led, by state, in the histories of the newest instances of
   * a type, as far as these do not hold more than {@link StateTimings#MAX_ATTEMPTS} attempts.
   *
   * @param sample how many instances, at most 1,000
   */
  List<StateTiming> timings(String type, int sample);

  /**
   * Counts for {@link #series} what started and ended since the last time, up to a minute before
   * {@code now}, in one transaction of bounded size. Only one node does so at a time; the others
   * are answered with 0.
   *
   * <p>Each start is counted once, when its instance is there a minute after it began; one whose
   * transaction took longer may be missed. Each end is counted once if it still stands a minute
   * later. When a failed instance is retried, its failure stays counted and its next end is counted
   * as well.
   *
   * @return how many starts and ends were counted; call again until it is 0
   */
  int rollUp(Instant now);

  record TypeCount(String type, InstanceStatus status, long count) {}

  record StateCount(int version, String state, InstanceStatus status, long count) {}

  /**
   * Instances that failed alike.
   *
   * @param state where the newest of them is
   * @param newest the instance that was started last
   * @param first when the first of them ended; for those left to a person, when the oldest instance
   *     changed last
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

    /** The newest instance of the group, and why it is where it is. */
    public record Newest(long instanceId, @Nullable String reason) {}
  }

  /**
   * Counts of a step of time that starts with {@code start}.
   *
   * @param meanDuration from start to end of those that finished; null when none did
   */
  record Bucket(
      Instant start,
      long started,
      long finished,
      long failed,
      long cancelled,
      @Nullable Duration meanDuration) {}

  /**
   * Durations and next states of the handler of a state.
   *
   * @param count attempts
   * @param failed attempts that failed
   * @param moves how often an attempt that did not fail led to which state, by name
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
