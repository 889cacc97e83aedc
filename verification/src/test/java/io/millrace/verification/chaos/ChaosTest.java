package io.millrace.verification.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.verification.chaos.check.ChaosReport;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests by short runs of {@code script/chaos}, one with a known seed and one with a fresh seed. The
 * environment can set length and seed of the first: {@code MILLRACE_CHAOS_MINUTES} and {@code
 * MILLRACE_CHAOS_SEED}.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
@Tag("chaos")
class ChaosTest {

  /** A seed whose plan has every kind of fault within three minutes. */
  private static final long EVERY_KIND = 743_773;

  @Test
  void noPromiseIsBrokenByFaults() throws Exception {
    Duration length =
        setting("MILLRACE_CHAOS_MINUTES")
            .map(minutes -> Duration.ofMillis((long) (Double.parseDouble(minutes) * 60_000)))
            .orElse(Duration.ofMinutes(3));
    long seed = setting("MILLRACE_CHAOS_SEED").map(Long::parseLong).orElse(EVERY_KIND);
    assertNoPromiseIsBroken(length, seed);
  }

  /** The seed is the current time, so that each run tries a plan that no other has. */
  @Test
  void noPromiseIsBrokenByFaultsOfAFreshPlan() throws Exception {
    long seed = TimeUnit.MILLISECONDS.toSeconds(System.currentTimeMillis());
    System.out.println("Chaos with the fresh seed " + seed);
    assertNoPromiseIsBroken(Duration.ofMinutes(1), seed);
  }

  private static void assertNoPromiseIsBroken(Duration length, long seed) throws Exception {
    ChaosReport chaosReport = ChaosRun.run(ChaosOptions.of(length, seed));
    assertThat(chaosReport.violations()).as("violations with seed " + seed).isZero();
    assertThat(chaosReport.count("instances")).isGreaterThan(100);
    assertThat(chaosReport.count("handler starts")).isGreaterThan(chaosReport.count("instances"));
  }

  private static Optional<String> setting(String name) {
    return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isBlank());
  }
}
