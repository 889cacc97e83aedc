package io.millrace.verification.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests that the real core keeps its promises in some hundreds of known schedules of faults. */
class SimulationSmokeTest {

  private static final String EVENTS =
      SimulationSmoke.KINDS.stream()
          .map(kind -> kind + "=3")
          .collect(Collectors.joining(", ", ", 9 events: {", "}\n"));
  private static final String ALL =
      SimulationSmoke.SEEDS + " seeds from 1 keep every promise" + EVENTS;
  private static final String ALL_BUT_ONE =
      SimulationSmoke.SEEDS + " seeds from 1 of which 1 broke a promise" + EVENTS;

  private static String broken(long seed) {
    return "Seed " + seed + " breaks a promise:\n  I5: a result was lost\n";
  }

  @Test
  void thePromisesAreKept() {
    SimulationJvm.Result result = SimulationSmoke.run(List.of());
    SimulationSmoke.judge(result);
    System.out.println(SimulationSmoke.warning(result));
  }

  @Test
  void aSingleBrokenSeedIsLeftToTheProof() {
    assertThatCode(() -> judge(0, ALL)).doesNotThrowAnyException();
    assertThatCode(() -> judge(1, broken(7) + ALL_BUT_ONE)).doesNotThrowAnyException();
    assertThat(SimulationSmoke.warning(result(0, ALL))).isEmpty();
    assertThat(SimulationSmoke.warning(result(1, broken(7) + ALL_BUT_ONE))).endsWith("--from 7");
  }

  @Test
  void twoBrokenSeedsAreRefused() {
    assertRefused(1, broken(7) + broken(9));
  }

  @Test
  void aRunThatDidNotComeToItsEndIsRefused() {
    assertRefused(0, "");
    assertRefused(0, "400 seeds from 1 keep every promise" + EVENTS);
    assertRefused(1, broken(7));
    assertRefused(1, ALL);
    assertRefused(2, "The simulator itself fails with seed 7:\n");
    assertRefused(2, broken(7) + ALL_BUT_ONE);
  }

  @Test
  void aRunInWhichSomethingNeverHappenedIsRefused() {
    for (String kind : SimulationSmoke.KINDS) {
      assertRefused(0, ALL.replace(kind + "=3", "nothing=3"));
    }
  }

  @Test
  void thePageOfGuaranteesTellsHowManySeedsAndPlantedFaultsThereAre() {
    assertThat(Path.of("..", "docs", "guarantees.md"))
        .content()
        .contains(" " + SimulationSmoke.FIXED_SEEDS + " fixed seeds and those that once broke")
        .contains(" " + Mutants.all().size() + " deliberate faults of the protocol");
  }

  private static void assertRefused(int exitCode, String output) {
    assertThatThrownBy(() -> judge(exitCode, output)).isInstanceOf(AssertionError.class);
  }

  private static void judge(int exitCode, String output) {
    SimulationSmoke.judge(result(exitCode, output));
  }

  private static SimulationJvm.Result result(int exitCode, String output) {
    return new SimulationJvm.Result(exitCode, output);
  }
}
