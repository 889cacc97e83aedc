package io.millrace.redis.work;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Outcome of the processing of a leased job: what is stored, if anything, and where the job goes.
 */
sealed interface JobOutcome {

  /**
   * The handler has completed the job.
   *
   * @param fields names and JSON texts in turn
   * @param nextQueue null at the end of the flow
   */
  record Completed(List<String> fields, @Nullable String nextQueue) implements JobOutcome {}

  /** The attempt has failed, and the job comes back to the same queue for the next one. */
  record Retry(Duration delay, String reason, Throwable cause) implements JobOutcome {}

  /**
   * The handler has asked that the job comes back to the same queue later, which does not count as
   * an attempt.
   */
  record Later(Duration delay, String reason) implements JobOutcome {}

  /** The job has failed for good. */
  record Failed(String message, @Nullable Throwable cause) implements JobOutcome {}

  /**
   * The job is a parent that waits.
   *
   * @param children the keys of their hashes
   */
  record AwaitChildren(List<String> children) implements JobOutcome {}

  /** No result is stored, because the worker has lost its lock on the job or must stop. */
  record Discarded(LeasedJob.StopCause why) implements JobOutcome {}
}
