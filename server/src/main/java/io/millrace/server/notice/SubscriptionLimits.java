package io.millrace.server.notice;

import io.millrace.lifecycle.EngineClock;
import io.millrace.server.security.ClientNetwork;
import io.millrace.server.security.Throttle;
import java.time.Duration;
import java.util.function.IntFunction;

/**
 * Limits on the mails that the public can cause. A network that sends many requests is rejected.
 * The mails of all other networks share two queues: one for networks that have sent a request
 * before, and one for new networks, so that a flood does not delay them. Thread-safe.
 */
public final class SubscriptionLimits {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final int OF_NETWORK = 5;
  private static final int OF_SITE = 20;

  /** Longest delay of a confirmation; a later one is useless. */
  private static final Duration MAX_DELAY = Duration.ofDays(1);

  private final Throttle networks;
  private final Throttle sites;
  private final Throttle first;
  private final MailRateLimiter quiet;
  private final MailRateLimiter busy;

  /** Creates limits with no requests counted. */
  public SubscriptionLimits(EngineClock clock) {
    this(clock, most -> new Throttle(clock, most, HOUR));
  }

  /**
   * Creates limits with the given throttles.
   *
   * @param throttles creates a throttle for a number of requests an hour
   */
  SubscriptionLimits(EngineClock clock, IntFunction<Throttle> throttles) {
    this.networks = throttles.apply(OF_NETWORK);
    this.sites = throttles.apply(OF_SITE);
    this.first = throttles.apply(1);
    this.quiet = new MailRateLimiter(clock, Duration.ofSeconds(10), 30);
    this.busy = new MailRateLimiter(clock, Duration.ofMinutes(1), 10);
  }

  /** The result of counting a request. */
  public sealed interface Decision {}

  /** A request that may cause a mail in a queue. */
  public record Admitted(MailRateLimiter rateLimiter) implements Decision {}

  /** A request that must be rejected. */
  public record Refused(Duration retryAfter) implements Decision {}

  /** Counts a request for a mail, and decides about it. */
  public Decision admit(ClientNetwork client) {
    // First, so that the many networks of one site cannot fill the buckets of all networks.
    Duration wait = client.isShared() ? sites.acquire(client.site()) : Duration.ZERO;
    if (wait.isZero()) {
      wait = networks.acquire(client.network());
    }
    if (!wait.isZero()) {
      return new Refused(wait);
    }
    if (first.acquire(client.site()).isZero()) {
      return new Admitted(quiet);
    }
    Duration delay = busy.delay();
    return delay.compareTo(MAX_DELAY) > 0
        ? new Refused(delay.minus(MAX_DELAY))
        : new Admitted(busy);
  }
}
