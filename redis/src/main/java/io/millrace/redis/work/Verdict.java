package io.millrace.redis.work;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What shall be stored of a job that a handler has worked on. */
sealed interface Verdict {

  /**
   * A result.
   *
   * @param fields names and JSON texts in turn
   * @param nextQueue null at the end of the flow
   */
  record Done(List<String> fields, @Nullable String nextQueue) implements Verdict {}

  /** It comes back to the same queue. */
  record Again(Duration delay, String reason, boolean isAttempt, @Nullable Throwable cause)
      implements Verdict {}

  /** It has failed for good. */
  record Failed(String message, @Nullable Throwable cause) implements Verdict {}

  /**
   * It is a parent that waits.
   *
   * @param children the keys of their hashes
   */
  record Parked(List<String> children) implements Verdict {}

  /** Nothing: the worker has no right to the job any more. */
  record Nothing(Held.Stop why) implements Verdict {}
}
