package io.millrace.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Archives and deletes ended instances, in small batches. An instance stays as long as its parent
 * runs or can be retried, and an execution of a schedule until its end is recorded. Each call
 * commits a batch and returns the number of instances it handled; call again until it returns 0.
 *
 * <p>A batch is bounded by rows as well: up to {@code limit} instances with up to {@link
 * #ROWS_PER_INSTANCE} rows each on average. An instance that has more rows than a batch is removed
 * in parts, one per call. Its own row is removed with the first part, so that from then on it is
 * missing from all reads. The other parts follow when no other instances are left, or by {@link
 * #resume}.
 */
public interface RetentionStore {

  /**
   * Number of rows of history, variables, signals, steps and log that a batch allows for each
   * instance.
   */
  int ROWS_PER_INSTANCE = 100;

  /** Rows of a removed sequence or continuous workflow that are deleted at once, at most. */
  int ROWS_PER_PART = 1_000;

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
   * Continues with an instance that has been archived or deleted in part, by any process. Returns 0
   * if there is none.
   */
  int resume(int limit);

  /** An instance that has ended and is still there. */
  record Overdue(long instanceId, Instant ended) {}

  /**
   * Returns one of the oldest instances that {@link #archive} or {@link #delete} would handle at
   * {@code age}, or that was handled in part. Changes nothing.
   */
  Optional<Overdue> overdue(Duration age);

  /**
   * Returns the oldest instance that {@link #deleteArchived} would handle at {@code age}, or that
   * was handled in part. Changes nothing.
   */
  Optional<Overdue> overdueArchived(Duration age);

  /** Deletes executors that stopped or were recovered longer ago than {@code age}. */
  int deleteExecutors(Duration age, int limit);

  /** Deletes entries of the audit trail that are older than {@code age}, the oldest first. */
  int deleteAudit(Duration age, int limit);
}
