package io.millrace.store;

import java.time.Duration;

/**
 * Takes ended instances out of the way, in small batches. An instance stays as long as its parent
 * runs or can be retried, and an execution of a schedule until its end is settled. Each call is one
 * transaction and answers with the number of instances it handled; call again until it answers 0.
 */
public interface RetentionStore {

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
