package io.millrace.verification.chaos.proxy;

import java.time.Duration;

/** What happens to bytes in one direction. */
public sealed interface TrafficRule {

  /** They pass. */
  TrafficRule PASS = new Delayed(Duration.ZERO);

  /** They wait until the flow changes, and pass then. */
  TrafficRule STALLED = new Stalled();

  /** They pass, later. */
  record Delayed(Duration by) implements TrafficRule {}

  /** They wait until the flow changes, and pass then. */
  record Stalled() implements TrafficRule {}

  /** They are thrown away, and their connection is reset. */
  record Dropped() implements TrafficRule {}
}
