package io.millrace.verification.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.verification.support.TestLength;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The simulator finds every planted fault of the protocol within three thousand seeds. Those that
 * it finds at once are enough for {@code script/test}.
 */
@Tag(TestLength.LONG)
@Timeout(900)
@Execution(ExecutionMode.CONCURRENT)
class MutantTest {

  private static final int SEEDS = 3000;

  static Stream<Mutant> mutants() {
    return Mutants.all().stream().filter(mutant -> TestLength.isLong() || !mutant.isSeldom());
  }

  @Test
  void thePageOfGuaranteesTellsHowManyThereAre() {
    assertThat(Path.of("..", "docs", "guarantees.md"))
        .content()
        .contains(" " + Mutants.all().size() + " deliberate faults of the protocol")
        .contains(
            " the "
                + Mutants.all().stream().filter(mutant -> !mutant.isSeldom()).count()
                + " faults that are found at once");
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void aPlantedFaultIsFound(Mutant mutant) {
    SimulationJvm.Result result =
        SimulationJvm.run(List.of(mutant.compile()), mutant.firstSeed(), SEEDS);
    System.out.println("Mutant: " + mutant + ": " + result.output().lines().limit(2).toList());
    assertThat(result.foundSomething()).as(mutant + ": " + result.output()).isTrue();
  }
}
