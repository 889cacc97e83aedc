package io.millrace.verification.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that the simulator finds every planted fault of the protocol within three thousand seeds.
 * Faults that show often are also found by its smoke test in {@code script/test}.
 */
@Timeout(900)
@Execution(ExecutionMode.CONCURRENT)
@Tag("mutants")
class MutantTest {

  private static final int SEEDS = 3000;

  static Stream<Mutant> mutants() {
    return Mutants.all().stream();
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void aPlantedFaultIsFound(Mutant mutant) {
    List<Path> classes = List.of(mutant.compile());
    SimulationJvm.Result result =
        mutant.isSeldom()
            ? SimulationJvm.run(classes, mutant.firstSeed(), mutant.step(), SEEDS)
            : SimulationSmoke.run(classes);
    System.out.println("Mutant: " + mutant + ": " + result.output().lines().limit(2).toList());
    assertThat(result.foundSomething()).as(mutant + ": " + result.output()).isTrue();
    if (!mutant.isSeldom()) {
      assertThatThrownBy(() -> SimulationSmoke.judge(result)).isInstanceOf(AssertionError.class);
    }
  }
}
