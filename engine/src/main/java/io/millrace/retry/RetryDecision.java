package io.millrace.retry;

import java.time.Duration;

/** The decision of a {@link RetryPolicy} about a failed attempt. */
public sealed interface RetryDecision {

  /** A further attempt after {@code delay}. */
  record Retry(Duration delay) implements RetryDecision {}

  /** No further attempt; {@code why} is shown to people. */
  record GiveUp(String why) implements RetryDecision {}
}
