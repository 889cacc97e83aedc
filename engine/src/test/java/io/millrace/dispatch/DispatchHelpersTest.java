package io.millrace.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.InvalidRequestException;
import io.millrace.lifecycle.IntervalThrottle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Back-off, rate limit, prefetch, pending claims, names. */
class DispatchHelpersTest {

  private final FakeRuntime fake = new FakeRuntime();

  @Test
  void backOffGrowsFromFiftyMillisToTwoSecondsAndHalfIsRandom() {
    Backoff backoff = new Backoff(new Random(1));
    long[] full = {50, 100, 200, 400, 800, 1_600, 2_000, 2_000};
    for (long most : full) {
      assertThat(backoff.next().toMillis()).isBetween(most / 2, most);
    }
    assertThat(backoff.tries()).isEqualTo(8);
  }

  @Test
  void backOffNeverOverflows() {
    Backoff backoff = new Backoff(new Random(1));
    for (int i = 0; i < 10_000; i++) {
      assertThat(backoff.next()).isBetween(Duration.ofMillis(25), Duration.ofSeconds(2));
    }
  }

  @Test
  void backOffRestartsAfterASuccess() {
    Backoff backoff = new Backoff(new Random(1));
    backoff.next();
    backoff.next();
    backoff.reset();
    assertThat(backoff.tries()).isZero();
    assertThat(backoff.next()).isBetween(Duration.ZERO, Duration.ofMillis(50));
  }

  @Test
  void whatIsTakenBackIsNotRunAtTheCancellation() {
    DefaultCancelToken token = new DefaultCancelToken();
    List<String> ran = new ArrayList<>();
    Runnable once = () -> ran.add("taken back");
    token.onCancel(once);
    token.onCancel(() -> ran.add("kept"));
    token.remove(once);
    token.cancel("test");
    token.remove(once);

    assertThat(ran).containsExactly("kept");
  }

  @Test
  void oneMessagePassesPerInterval() {
    IntervalThrottle limit = new IntervalThrottle(fake, Duration.ofSeconds(10));
    assertThat(limit.permits()).isTrue();
    assertThat(limit.permits()).isFalse();
    fake.advance(Duration.ofSeconds(10).minusNanos(1));
    assertThat(limit.permits()).isFalse();
    fake.advance(Duration.ofNanos(1));
    assertThat(limit.permits()).isTrue();
  }

  @Test
  void rateLimitsOutliveAClockThatWrapsAround() {
    fake.nanos = Long.MAX_VALUE - 5;
    IntervalThrottle limit = new IntervalThrottle(fake, Duration.ofSeconds(1));
    assertThat(limit.permits()).isTrue();
    fake.advance(Duration.ofMillis(500));
    assertThat(limit.permits()).isFalse();
    fake.advance(Duration.ofMillis(500));
    assertThat(limit.permits()).isTrue();
  }

  @Test
  void nothingIsClaimedAheadBeforeAnythingWasDone() {
    assertThat(new Prefetch(fake, 100).allowed()).isZero();
  }

  @Test
  void asMuchIsClaimedAheadAsWasDoneLately() {
    Prefetch prefetch = new Prefetch(fake, 100);
    for (int i = 0; i < 30; i++) {
      prefetch.finished();
    }
    assertThat(prefetch.allowed()).isEqualTo(30);
    fake.advance(Duration.ofMillis(500));
    assertThat(prefetch.allowed()).isEqualTo(30);
    fake.advance(Duration.ofMillis(500));
    assertThat(prefetch.allowed()).isZero();
  }

  @Test
  void neverMoreThanTheLimitIsClaimedAhead() {
    Prefetch prefetch = new Prefetch(fake, 10);
    for (int i = 0; i < 30; i++) {
      prefetch.finished();
    }
    assertThat(prefetch.allowed()).isEqualTo(10);
  }

  @Test
  void claimsAreCompleteWhenAllUpToTheTicketHaveEnded() {
    PendingClaims pendingClaims = new PendingClaims();
    assertThat(pendingClaims.isComplete(0)).isTrue();
    long one = pendingClaims.start();
    long two = pendingClaims.start();
    assertThat(pendingClaims.last()).isEqualTo(two);
    pendingClaims.end(two);
    assertThat(pendingClaims.isComplete(two)).isFalse();
    assertThat(pendingClaims.isComplete(one - 1)).isTrue();
    pendingClaims.end(one);
    long three = pendingClaims.start();
    assertThat(pendingClaims.isComplete(two)).isTrue();
    assertThat(pendingClaims.isComplete(three)).isFalse();
  }

  @Test
  void longNamesAreCutInTheMessage() {
    assertThatThrownBy(() -> NameRules.check("variable", "x".repeat(5_000)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("variable name")
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(250));
  }

  @Test
  void summariesAreCut() {
    assertThat(ThrowableFormatter.summary(new IllegalStateException("x".repeat(10_000))))
        .hasSize(500);
    assertThat(ThrowableFormatter.summary(null)).isEqualTo("failed");
  }
}
