package io.millrace.redis.work;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What shall be stored of a job that a handler has worked on. */
sealed interface JobOutcome {

  /**
   * A result.
   *
   * @param fields names and JSON texts in turn
   * @param nextQueue null at the end of the flow
   */
  record Completed(List<String> fields, @Nullable String nextQueue) implements JobOutcome {}

  /** It comes back to the same queue. */
  record Retry(Duration delay, String reason, boolean isAttempt, @Nullable Throwable cause)
      implements JobOutcome {}

  /** It has failed for good. */
  record Failed(String message, @Nullable Throwable cause) implements JobOutcome {}

  /**
   * It is a parent that waits.
   *
   * @param children the keys of their hashes
   */
  record AwaitChildren(List<String> children) implements JobOutcome {}

  /** Nothing: the worker has no right to the job any more. */
  record Discarded(RunningJob.StopCause why) implements JobOutcome {}
}
