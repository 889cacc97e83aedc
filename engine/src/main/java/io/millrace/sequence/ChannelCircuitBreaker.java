package io.millrace.sequence;

import io.millrace.lifecycle.EngineClock;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The channels over which nothing was confirmed in time. Each wait for them would delay all others,
 * so nothing is sent over them for a growing time, and then one message as a probe. Thread-safe.
 */
final class ChannelCircuitBreaker {

  private static final Logger LOG = LoggerFactory.getLogger(ChannelCircuitBreaker.class);

  /** Duration below which a failure delays no other channel. */
  private static final Duration SLOW = Duration.ofMillis(300);

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration MAX_PAUSE = Duration.ofSeconds(30);

  /** A permit to send a message. */
  sealed interface Permit {
    /** The message can be sent together with others. */
    record Closed() implements Permit {}

    /** The message can be sent alone, in the background. Its result must be reported. */
    record HalfOpen() implements Permit {}

    /** Sending is suspended. */
    record Open(String reason) implements Permit {}
  }

  /** A channel that is slow. */
  private record Slow(String reason, Duration pause, long untilNanos, boolean probing) {}

  private final EngineClock clock;
  private final Map<String, Slow> slow = new TreeMap<>();

  ChannelCircuitBreaker(EngineClock clock) {
    this.clock = clock;
  }

  /** Returns a permit for the next message of a channel; called once per message. */
  synchronized Permit pass(String channel) {
    Slow one = slow.get(channel);
    if (one == null) {
      return new Permit.Closed();
    }
    if (one.probing || clock.nanoTime() - one.untilNanos < 0) {
      return new Permit.Open(one.reason);
    }
    slow.put(channel, new Slow(one.reason, one.pause, one.untilNanos, true));
    return new Permit.HalfOpen();
  }

  /**
   * Records that nothing could be sent over these channels in the given time.
   *
   * @param reasons by channel
   * @param took how long the sender waited
   */
  synchronized void failed(Map<String, String> reasons, Duration took) {
    if (took.compareTo(SLOW) >= 0 && !reasons.isEmpty()) {
      LOG.warn(
          "Nothing is sent over the channels {} but one message of each from time to time, until it"
              + " is confirmed: {}",
          reasons.keySet(),
          new TreeSet<>(reasons.values()));
      reasons.forEach((channel, reason) -> slow.put(channel, slow(reason, FIRST_PAUSE)));
    }
  }

  /** Records that a probe was not confirmed. */
  synchronized void probeFailed(String channel, String reason) {
    Slow one = slow.get(channel);
    if (one != null) {
      Duration longer = one.pause.multipliedBy(2);
      slow.put(channel, slow(reason, longer.compareTo(MAX_PAUSE) < 0 ? longer : MAX_PAUSE));
    }
  }

  /**
   * Records that a probe was confirmed. Probes of the other channels may follow at once, since the
   * whole broker may have been slow.
   */
  synchronized void probeConfirmed(String channel) {
    slow.remove(channel);
    LOG.info("Messages are sent over channel {} again", channel);
    slow.replaceAll((name, one) -> new Slow(one.reason, one.pause, clock.nanoTime(), one.probing));
  }

  private Slow slow(String reason, Duration pause) {
    return new Slow(reason, pause, clock.nanoTime() + pause.toNanos(), false);
  }
}
