package io.millrace.server.notice;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.server.notice.SubscriptionLimits.Admitted;
import io.millrace.server.notice.SubscriptionLimits.Decision;
import io.millrace.server.notice.SubscriptionLimits.Refused;
import io.millrace.server.security.ClientNetwork;
import io.millrace.server.security.Throttle;
import io.millrace.testing.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SubscriptionLimitsTest {

  private final SettableClock clock = SettableClock.at(Instant.parse("2026-03-01T12:00:00Z"));

  /**
   * Limits with a fixed seed: with a random one, a quiet network may share the bucket of a busy
   * one.
   */
  private final SubscriptionLimits limits =
      new SubscriptionLimits(
          clock, most -> new Throttle(clock, most, Duration.ofHours(1), "no shared buckets"));

  @Test
  void aNetworkIsAdmittedFiveTimesAnHour() {
    for (int i = 0; i < 5; i++) {
      assertThat(admit("a", "a")).isInstanceOf(Admitted.class);
    }
    assertThat(admit("a", "a"))
        .isInstanceOfSatisfying(
            Refused.class,
            refused ->
                assertThat(refused.retryAfter())
                    .isBetween(Duration.ofMinutes(11), Duration.ofMinutes(12)));
    assertThat(admit("b", "b")).isInstanceOf(Admitted.class);

    clock.advance(Duration.ofMinutes(12));
    assertThat(admit("a", "a")).isInstanceOf(Admitted.class);
    assertThat(admit("a", "a")).isInstanceOf(Refused.class);
  }

  /** One customer has 65,536 such networks, which would fill every bucket. */
  @Test
  void theNetworksOfOneSiteTogetherAreAdmittedTwentyTimesAnHour() {
    long admitted =
        IntStream.range(0, 200)
            .filter(i -> admit("2001:db8:1:" + i, "2001:db8:1") instanceof Admitted)
            .count();
    assertThat(admitted).isEqualTo(20);
    assertThat(admit("2001:db8:2:0", "2001:db8:2")).isInstanceOf(Admitted.class);
  }

  @Test
  void aFloodDelaysNoMailOfANetworkThatWasQuiet() {
    for (int network = 0; network < 100; network++) {
      for (int i = 0; i < 5; i++) {
        reserve("10.0." + network % 10 + "." + network, "10.0." + network % 10);
      }
    }

    assertThat(reserve("10.9.9.9", "10.9.9")).isZero();
    assertThat(reserve("10.9.9.9", "10.9.9")).isGreaterThan(Duration.ofHours(1));
  }

  @Test
  void whatWouldWaitMoreThanADayIsRefusedAndQuietNetworksAreNot() {
    int refused = 0;
    for (int network = 0; network < 1000; network++) {
      for (int i = 0; i < 5; i++) {
        refused += reserve("10.0.0." + network, "10.0.0") == null ? 1 : 0;
      }
    }
    assertThat(refused).isBetween(3000, 4000);
    assertThat(admit("10.0.0.x", "10.0.0")).isInstanceOf(Refused.class);
    assertThat(reserve("10.0.1.1", "10.0.1")).isZero();
  }

  private Duration reserve(String network, String site) {
    return admit(network, site) instanceof Admitted admitted
        ? admitted.rateLimiter().reserve()
        : null;
  }

  private Decision admit(String network, String site) {
    return limits.admit(new ClientNetwork(network, site));
  }
}
