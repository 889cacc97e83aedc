package io.millrace.redis.work;

import org.jspecify.annotations.Nullable;

/**
 * What came of storing the end of a job.
 *
 * @param next what was taken at once; null when nothing was asked for
 */
record CompletionResult(Status status, @Nullable LeaseResult next) {

  enum Status {
    /** It is stored. */
    OK,
    /** The lock is another's or nobody's; nothing was written. */
    LOST,
    /** Somebody had moved the entry away; nothing was written. */
    INVALID,
    /** The job's hash is away; the entry was dropped. */
    GONE
  }
}
