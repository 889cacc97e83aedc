package io.millrace.redis.work;

/**
 * How a queue is spoken about with the server: by scripts, or by the bare commands of the npm
 * package. All methods throw what {@link io.millrace.redis.connect.Redis} throws. Thread-safe.
 */
interface QueueProtocol {

  /** Takes the next job that waits. */
  LeaseResult lease(String worker);

  /**
   * Takes the lock of an entry that a blocking move has brought.
   *
   * @param isRecent true when nobody can have recovered the entry since
   */
  LeaseResult claim(String worker, String entry, boolean isRecent);

  /**
   * Stores what became of a job.
   *
   * @param goesOn whether the next job shall be taken at once
   */
  CompletionResult complete(
      String worker, LeaseResult.Leased job, JobOutcome.Completed completed, boolean goesOn);

  /** The same for a job that comes back later. */
  CompletionResult retry(
      String worker, LeaseResult.Leased job, JobOutcome.Retry retry, boolean goesOn);

  /** The same for a job that has failed for good. */
  CompletionResult fail(
      String worker, LeaseResult.Leased job, JobOutcome.Failed failed, boolean goesOn);

  /** Puts an entry back at the head that was not begun, if the worker may. */
  boolean release(String worker, String entry);
}
