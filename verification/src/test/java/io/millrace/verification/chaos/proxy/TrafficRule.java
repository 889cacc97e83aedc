package io.millrace.verification.chaos.proxy;

import java.time.Duration;

/** A rule for the bytes in one direction. */
public sealed interface TrafficRule {

  /** A rule that lets bytes pass. */
  TrafficRule PASS = new Delayed(Duration.ZERO);

  /** A rule that holds bytes until the rule changes. */
  TrafficRule STALLED = new Stalled();

  /** A rule that lets bytes pass after a delay. */
  record Delayed(Duration by) implements TrafficRule {}

  /** A rule that holds bytes until the rule changes. */
  record Stalled() implements TrafficRule {}

  /** A rule that discards bytes and resets their connection. */
  record Dropped() implements TrafficRule {}
}
