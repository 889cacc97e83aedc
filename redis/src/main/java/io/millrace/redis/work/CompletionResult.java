package io.millrace.redis.work;

import org.jspecify.annotations.Nullable;

/**
 * Result of storing the end of a job.
 *
 * @param next the job that was leased at once; null when none was requested
 */
record CompletionResult(Status status, @Nullable LeaseResult next) {

  enum Status {
    /** The end is stored. */
    OK,
    /** The worker does not have the lock any more; nothing was written. */
    LOST,
    /** Another program has moved the entry away; nothing was written. */
    INVALID,
    /** The job's hash does not exist; the entry was removed. */
    GONE
  }
}
