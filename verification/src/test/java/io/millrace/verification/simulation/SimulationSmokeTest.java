package io.millrace.verification.simulation;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The real core keeps its promises in some hundreds of known schedules of faults. */
class SimulationSmokeTest {

  private static final String ALL =
      SimulationSmoke.SEEDS + " seeds from 1 keep every promise, 9 events: {killed=3}\n";
  private static final String ALL_BUT_ONE =
      SimulationSmoke.SEEDS + " seeds from 1 of which 1 broke a promise, 9 events: {killed=3}\n";

  private static String broken(long seed) {
    return "Seed " + seed + " breaks a promise:\n  I5: a result was lost\n";
  }

  @Test
  void thePromisesAreKept() {
    SimulationSmoke.judge(SimulationSmoke.run(List.of()));
  }

  @Test
  void aSingleBrokenSeedIsLeftToTheProof() {
    assertThatCode(() -> judge(0, ALL)).doesNotThrowAnyException();
    assertThatCode(() -> judge(1, broken(7) + ALL_BUT_ONE)).doesNotThrowAnyException();
  }

  @Test
  void twoBrokenSeedsAreRefused() {
    assertRefused(1, broken(7) + broken(9));
  }

  @Test
  void aRunThatDidNotComeToItsEndIsRefused() {
    assertRefused(0, "");
    assertRefused(0, "400 seeds from 1 keep every promise, 9 events: {killed=3}\n");
    assertRefused(1, broken(7));
    assertRefused(1, ALL);
    assertRefused(2, "The simulator itself fails with seed 7:\n");
    assertRefused(2, broken(7) + ALL_BUT_ONE);
  }

  private static void assertRefused(int exitCode, String output) {
    assertThatThrownBy(() -> judge(exitCode, output)).isInstanceOf(AssertionError.class);
  }

  private static void judge(int exitCode, String output) {
    SimulationSmoke.judge(new SimulationJvm.Result(exitCode, output));
  }
}
