package io.millrace.redis.work;

import org.jspecify.annotations.Nullable;

/**
 * Result of storing the outcome of a job.
 *
 * @param next the result of the next lease; null if there was none: it was not requested, it
 *     failed, or the outcome had been stored by an earlier call
 */
record StoreResult(Status status, @Nullable LeaseResult next) {

  enum Status {
    /** The outcome is stored. */
    OK,
    /** The worker no longer has the lock; nothing was written. */
    LOST,
    /**
     * Another program has moved the job away; nothing was stored, and the job is not in the next
     * queue.
     */
    INVALID,
    /** The job's hash does not exist, or is not a hash; the entry was removed. */
    GONE
  }
}
