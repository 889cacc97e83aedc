package io.millrace.verification.chaos.proxy;

import java.time.Duration;

/** What happens to bytes in one direction. */
public sealed interface Flow {

  /** They pass. */
  Flow PASS = new Delayed(Duration.ZERO);

  /** They wait until the flow changes, and pass then. */
  Flow STALLED = new Stalled();

  /** They pass, later. */
  record Delayed(Duration by) implements Flow {}

  /** They wait until the flow changes, and pass then. */
  record Stalled() implements Flow {}

  /** They are thrown away, and their connection is reset. */
  record Dropped() implements Flow {}
}
