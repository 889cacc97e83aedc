package io.millrace.verification.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that the real core keeps its promises in thousands of schedules of faults: fixed ones,
 * those that once broke a promise, and fresh ones. {@code -Dtests.simulation.seeds=N} runs another
 * number of fresh ones; {@code script/simulate} runs any.
 */
@Tag("simulate")
class SimulationTest {

  private static final long FIXED_SEEDS = 10_000;
  private static final long FRESH_SEEDS = Long.getLong("tests.simulation.seeds", 20_000);

  /**
   * First fresh seed, from the current time, so that each run tries schedules that no other has;
   * {@code -Dtests.simulation.from=S} repeats one.
   */
  private static final long FRESH_FROM =
      Long.getLong(
          "tests.simulation.from",
          TimeUnit.MILLISECONDS.toSeconds(System.currentTimeMillis()) * 1_000);

  /**
   * Number of seeds that a JVM runs before it reports, small enough for a long run to show
   * progress.
   */
  private static final long SEEDS_OF_A_JVM = 2_500;

  @Test
  void everyPromiseIsKeptUnderEveryFault() throws Exception {
    List<SimulationJvm.Result> results = run(1, FIXED_SEEDS);
    assertThat(SimulationSmoke.KINDS)
        .as("What happens at least once in a hundred seeds")
        .allMatch(kind ->
            results.stream().mapToLong(result -> result.count(kind)).sum() >= FIXED_SEEDS / 100);
  }

  @Test
  void everyPromiseIsKeptInSeedsThatNobodyHasRunBefore() throws Exception {
    run(FRESH_FROM, FRESH_SEEDS);
  }

  /**
   * Runs exactly the given number of seeds, in one JVM per processor; each seed must keep every
   * promise.
   */
  private static List<SimulationJvm.Result> run(long from, long seeds) throws Exception {
    System.out.println("Simulating: script/simulate --seeds " + seeds + " --from " + from);
    long end = from + seeds;
    List<Callable<SimulationJvm.Result>> parts =
        LongStream.iterate(from, first -> first < end, first -> first + SEEDS_OF_A_JVM)
            .<Callable<SimulationJvm.Result>>mapToObj(
                first -> () -> runPart(first, Math.min(SEEDS_OF_A_JVM, end - first)))
            .toList();
    List<SimulationJvm.Result> results = new ArrayList<>();
    try (ExecutorService jvms =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
      for (Future<SimulationJvm.Result> part : jvms.invokeAll(parts)) {
        results.add(part.get());
      }
    }
    assertThat(results)
        .allSatisfy(result -> assertThat(result.exitCode()).as(result.output()).isZero());
    assertThat(results.stream().mapToLong(SimulationJvm.Result::seeds).sum()).isEqualTo(seeds);
    System.out.println(seeds + " seeds, from " + from + " on, keep every promise");
    return results;
  }

  private static SimulationJvm.Result runPart(long from, long seeds) {
    SimulationJvm.Result result = SimulationJvm.run(from, seeds);
    System.out.print(result.output());
    return result;
  }

  @Test
  void everyPromiseIsKeptInSeedsThatOnceBrokeOne() {
    Object[] seeds = SimulationSmoke.ONCE_BROKEN.stream().flatMap(s -> Stream.of(s, 1L)).toArray();
    SimulationJvm.Result result = SimulationJvm.run(seeds);
    assertThat(result.exitCode()).as(result.output()).isZero();
    assertThat(result.seeds()).isEqualTo(SimulationSmoke.ONCE_BROKEN.size());
  }

  @Test
  void aSeedIsTheSameScheduleInEveryProcess() {
    List<String> both =
        Stream.of(1, 1).parallel().map(first -> SimulationJvm.run(first, 30).output()).toList();
    assertThat(both.getFirst()).contains("fingerprint").isEqualTo(both.getLast());
  }
}
