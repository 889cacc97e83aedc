package io.millrace.redis.work;

/**
 * Commands about the jobs of a queue: scripts, or the commands of the npm package alone. All
 * methods throw the exceptions of {@link io.millrace.redis.connect.Redis}. Thread-safe.
 */
interface QueueProtocol {

  /** Leases the next waiting job. */
  LeaseResult lease(String worker);

  /**
   * Leases the job of an entry that a blocking move has returned.
   *
   * @param isRecent true if no process can have recovered the entry since
   */
  LeaseResult leaseEntry(String worker, String entry, boolean isRecent);

  /**
   * Stores the result of a job.
   *
   * @param leaseNext true to lease the next job at once
   */
  StoreResult complete(
      String worker,
      LeaseResult.LeasedEntry leasedEntry,
      JobOutcome.Completed completed,
      boolean leaseNext);

  /** Stores that a job comes back later, as in {@link #complete}. */
  StoreResult retry(
      String worker,
      LeaseResult.LeasedEntry leasedEntry,
      JobOutcome.Retry retry,
      boolean leaseNext);

  /** Stores that a job has failed for good, as in {@link #complete}. */
  StoreResult fail(
      String worker,
      LeaseResult.LeasedEntry leasedEntry,
      JobOutcome.Failed failed,
      boolean leaseNext);

  /**
   * Puts an entry that was not started back at the head, unless another worker has locked it;
   * returns true if it did.
   */
  boolean release(String worker, String entry);
}
