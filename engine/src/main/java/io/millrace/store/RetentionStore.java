package io.millrace.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Takes ended instances out of the way, in small batches. An instance stays as long as its parent
 * runs or can be retried, and an execution of a schedule until its end is settled. Each call
 * commits a batch and answers with the number of instances it handled; call again until it answers
 * 0.
 *
 * <p>A batch is bounded by rows as well: up to {@code limit} instances with up to {@link
 * #ROWS_PER_INSTANCE} rows each on average. An instance that has more rows than a batch is removed
 * in parts, one a call. Its own row goes with the first part, so that from then on it is gone from
 * all reads; the other parts follow when no other instances are left, or by {@link #resume}.
 */
public interface RetentionStore {

  /** Rows of history, variables, signals, steps and log that a batch allows for each instance. */
  int ROWS_PER_INSTANCE = 100;

  /**
   * Moves instances that ended longer ago than {@code age} to the archive tables, with all that
   * belongs to them.
   */
  int archive(Duration age, int limit);

  /** Deletes instances that ended longer ago than {@code age}, with all that belongs to them. */
  int delete(Duration age, int limit);

  /** Deletes archived instances that ended longer ago than {@code age}. */
  int deleteArchived(Duration age, int limit);

  /**
   * Goes on with an instance of which a part has been archived or deleted, by any process; answers
   * 0 when there is none.
   */
  int resume(int limit);

  /** An instance that has ended and is still there. */
  record Overdue(long instanceId, Instant ended) {}

  /**
   * Returns one of the oldest instances that {@link #archive} or {@link #delete} would handle at
   * {@code age}, or of which a part is left. Changes nothing.
   */
  Optional<Overdue> overdue(Duration age);

  /**
   * Returns the oldest instance that {@link #deleteArchived} would handle at {@code age}, or of
   * which a part is left. Changes nothing.
   */
  Optional<Overdue> overdueArchived(Duration age);

  /**
   * Deletes what became of slots, when that was decided longer ago than {@code age} and no instance
   * of it is left, not in the archive either. The newest execution of a workflow stays known.
   */
  int deleteFires(Duration age, int limit);

  /** Deletes executors that stopped or were recovered longer ago than {@code age}. */
  int deleteExecutors(Duration age, int limit);

  /** Deletes entries of the audit trail that are older than {@code age}, the oldest first. */
  int deleteAudit(Duration age, int limit);

  /**
   * Deletes all but the newest {@code keep} events of continuous workflows, of at most {@code
   * limit} workflows; answers with how many those were.
   */
  int trimEvents(int keep, int limit);
}
