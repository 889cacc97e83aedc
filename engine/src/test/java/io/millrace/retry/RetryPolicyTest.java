package io.millrace.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryPolicyTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final RetryPolicy PLAIN =
      RetryPolicy.exponential(SECOND, Duration.ofHours(1)).jitter(0);

  private final Random random = new Random(1);

  private RetryDecision decide(RetryPolicy policy, int attempt, Throwable failure) {
    return policy.decide(attempt, Duration.ZERO, failure, random);
  }

  @ParameterizedTest
  @CsvSource({"1,1", "2,2", "3,4", "4,8", "11,1024", "12,2048", "13,3600", "14,3600", "100,3600"})
  void waitsDoubleUpToTheLongest(int attempt, long seconds) {
    assertThat(PLAIN.delayAfter(attempt, random)).isEqualTo(Duration.ofSeconds(seconds));
  }

  @Test
  void waitsNeverShrinkOrOverflow() {
    RetryPolicy wide = RetryPolicy.exponential(SECOND, Duration.ofDays(365L * 1000)).jitter(0);
    assertThat(IntStream.rangeClosed(1, 1000).mapToObj(a -> wide.delayAfter(a, random)))
        .isSorted()
        .allMatch(Duration::isPositive)
        .endsWith(Duration.ofDays(365L * 1000));
    assertThat(wide.delayAfter(Integer.MAX_VALUE, random)).isEqualTo(Duration.ofDays(365L * 1000));
  }

  @Test
  void jitterStaysWithinItsShare() {
    RetryPolicy fifth = RetryPolicy.fixed(Duration.ofSeconds(10));
    assertThat(IntStream.range(0, 1000).mapToObj(i -> fifth.delayAfter(1, random)))
        .allMatch(d -> d.toMillis() >= 8_000 && d.toMillis() <= 10_000)
        .anyMatch(d -> d.toMillis() < 8_200)
        .anyMatch(d -> d.toMillis() > 9_800);
  }

  @Test
  void fullJitterSpreadsFromZero() {
    RetryPolicy full = RetryPolicy.fixed(Duration.ofSeconds(10)).jitter(1);
    assertThat(IntStream.range(0, 1000).mapToObj(i -> full.delayAfter(1, random)))
        .allMatch(d -> !d.isNegative() && d.toMillis() <= 10_000)
        .anyMatch(d -> d.toMillis() < 500);
  }

  @Test
  void aZeroWaitStaysZero() {
    assertThat(RetryPolicy.fixed(Duration.ZERO).jitter(1).delayAfter(1000, random))
        .isEqualTo(Duration.ZERO);
  }

  @Test
  void theLastAttemptIsGivenUp() {
    RetryPolicy three = PLAIN.maxAttempts(3);
    assertThat(decide(three, 2, null)).isEqualTo(new RetryDecision.Retry(Duration.ofSeconds(2)));
    assertThat(decide(three, 3, null)).isEqualTo(new RetryDecision.GiveUp("attempt 3 of 3 failed"));
  }

  @Test
  void neverGivesTheFirstAttemptUp() {
    assertThat(decide(RetryPolicy.never(), 1, new IOException()))
        .isEqualTo(new RetryDecision.GiveUp("attempt 1 of 1 failed"));
  }

  @Test
  void anAttemptThatWouldBeginAfterMaxElapsedIsGivenUp() {
    RetryPolicy limited = PLAIN.maxElapsed(Duration.ofSeconds(10));
    assertThat(limited.decide(1, Duration.ofSeconds(9), null, random))
        .isEqualTo(new RetryDecision.Retry(SECOND));
    assertThat(limited.decide(1, Duration.ofMillis(9_001), null, random))
        .isEqualTo(new RetryDecision.GiveUp("no attempt fits into the limit of PT10S"));
  }

  @Test
  void aNonRetryableExceptionEndsAtOnce() {
    RetryPolicy policy = PLAIN.neverOn(IOException.class, ArithmeticException.class);
    assertThat(decide(policy, 1, new java.io.FileNotFoundException()))
        .isEqualTo(new RetryDecision.GiveUp("not retried: java.io.FileNotFoundException"));
    assertThat(decide(policy, 1, new IllegalStateException()))
        .isInstanceOf(RetryDecision.Retry.class);
  }

  @Test
  void aNonRetryableCauseEndsAtOnceAtAnyReasonableDepth() {
    Throwable failure = new UncheckedIOException(new IOException("root"));
    for (int i = 0; i < 40; i++) {
      failure = new IllegalStateException(failure);
    }
    assertThat(decide(PLAIN.neverOn(IOException.class), 1, failure))
        .isInstanceOf(RetryDecision.GiveUp.class);
  }

  @Test
  void neverOnAddsToWhatWasThere() {
    RetryPolicy both = PLAIN.neverOn(IOException.class).neverOn(ArithmeticException.class);
    assertThat(both.nonRetryable()).containsExactly(IOException.class, ArithmeticException.class);
  }

  @Test
  void cyclicCausesEnd() {
    Exception one = new Exception();
    Exception two = new Exception(one);
    one.initCause(two);
    assertThat(decide(PLAIN.neverOn(IOException.class), 1, one))
        .isInstanceOf(RetryDecision.Retry.class);
  }

  @Test
  void aCauseThatCannotBeAskedForIsNoCause() {
    RuntimeException evil =
        new RuntimeException() {
          @Override
          public synchronized Throwable getCause() {
            throw new IllegalStateException("evil");
          }
        };
    assertThat(decide(PLAIN, 1, evil)).isEqualTo(new RetryDecision.Retry(SECOND));
  }

  @Test
  void copiesChangeOneThingOnly() {
    RetryPolicy changed = PLAIN.maxAttempts(7).maxElapsed(SECOND).jitter(0.5);
    assertThat(changed)
        .isEqualTo(
            new RetryPolicy(SECOND, Duration.ofHours(1), 0.5, 7, SECOND, PLAIN.nonRetryable()));
  }

  @Test
  void aNegativeFirstDelayIsRefused() {
    assertThatThrownBy(() -> RetryPolicy.fixed(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Retry policy: firstDelay is PT-1S, expected zero or more");
  }

  @Test
  void aLongestDelayBelowTheFirstIsRefused() {
    assertThatThrownBy(() -> RetryPolicy.exponential(SECOND, Duration.ofMillis(999)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Retry policy: maxDelay is PT0.999S, expected at least firstDelay, PT1S");
  }

  @ParameterizedTest
  @CsvSource({"-0.1", "1.1", "NaN"})
  void aJitterOutsideZeroToOneIsRefused(double jitter) {
    assertThatThrownBy(() -> PLAIN.jitter(jitter))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Retry policy: jitter is " + jitter + ", expected between 0 and 1");
  }

  @Test
  void noAttemptAtAllIsRefused() {
    assertThatThrownBy(() -> PLAIN.maxAttempts(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxAttempts is 0")
        .hasMessageContaining("the first attempt counts");
  }

  @Test
  void aNegativeMaxElapsedIsRefused() {
    assertThatThrownBy(() -> PLAIN.maxElapsed(SECOND.negated()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxElapsed is PT-1S");
  }

  @Test
  void aDelayThatIsNoNumberOfMillisecondsIsRefusedWhenThePolicyIsMade() {
    assertThatThrownBy(() -> RetryPolicy.fixed(Duration.ofSeconds(Long.MAX_VALUE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Delay");
  }
}
