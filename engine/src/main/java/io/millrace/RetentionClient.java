package io.millrace;

import io.millrace.store.RetentionStore;
import java.time.Duration;

/**
 * Archives and deletes what has ended, in small batches, for applications that do so by themselves
 * instead of by the settings. An instance stays as long as its parent runs or can be retried, and
 * an execution of a schedule until its end is recorded. Each call commits a batch and returns the
 * number of things it handled; call again until it returns 0. Thread-safe.
 *
 * <p>It has those calls of the store that applications may make; the others belong to the engine.
 */
public final class RetentionClient {

  private final RetentionStore store;

  RetentionClient(RetentionStore store) {
    this.store = store;
  }

  /**
   * Moves instances that ended longer ago than {@code age} to the archive tables, with all that
   * belongs to them.
   */
  public int archive(Duration age, int limit) {
    return store.archive(age, limit);
  }

  /** Deletes instances that ended longer ago than {@code age}, with all that belongs to them. */
  public int delete(Duration age, int limit) {
    return store.delete(age, limit);
  }

  /** Deletes archived instances that ended longer ago than {@code age}. */
  public int deleteArchived(Duration age, int limit) {
    return store.deleteArchived(age, limit);
  }

  /** Deletes executors that stopped or were recovered longer ago than {@code age}. */
  public int deleteExecutors(Duration age, int limit) {
    return store.deleteExecutors(age, limit);
  }

  /** Deletes entries of the audit trail that are older than {@code age}, the oldest first. */
  public int deleteAudit(Duration age, int limit) {
    return store.deleteAudit(age, limit);
  }
}
