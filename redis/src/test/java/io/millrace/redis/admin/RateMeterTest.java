package io.millrace.redis.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.lifecycle.EngineClock;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RateMeterTest {

  private final AtomicLong seconds = new AtomicLong();
  private final RateMeter rateMeter =
      new RateMeter(
          new EngineClock() {
            @Override
            public Instant instant() {
              return Instant.ofEpochSecond(seconds.get());
            }

            @Override
            public long nanoTime() {
              return seconds.get() * 1_000_000_000;
            }
          });

  private double after(long time, long total) {
    seconds.addAndGet(time);
    return rateMeter.perMinute("q", total);
  }

  @Test
  void tellHowTotalsGrowInAMinute() {
    assertThat(after(0, 1000)).isZero();
    assertThat(after(2, 1010)).isEqualTo(300);
    assertThat(after(58, 1100)).isEqualTo(100);
    assertThat(after(60, 1100)).as("what is older than a minute does not count").isZero();
    assertThat(rateMeter.perMinute("other", 5)).isZero();
  }

  @Test
  void restartsWhenRedisWasEmptied() {
    after(0, 1000);
    assertThat(after(10, 0)).isZero();
    assertThat(after(10, 10)).isEqualTo(60);
  }
}
