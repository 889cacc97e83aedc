package io.millrace.verification.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The seeds that test each change. After a change of the core a known seed is another schedule than
 * before, so it is as good as a fresh one: a single seed that breaks a promise may have found an
 * old fault, and is left to {@code script/prove}. A fault of the change breaks several.
 */
final class SimulationSmoke {

  /** Seeds that broke a promise; one is added when its cause has been fixed. */
  static final List<Long> ONCE_BROKEN =
      List.of(
          2_092L,
          700_010_532L,
          701_011_200L,
          702_000_387L,
          703_015_207L,
          704_014_407L,
          706_017_782L,
          707_011_652L,
          995_429_261L,
          1_795_434_383_885L,
          1_795_439_225_347L,
          1_795_442_996_117L,
          1_795_444_056_947L,
          1_795_501_793_877L,
          1_795_553_080_107L,
          1_795_553_460_066L,
          1_795_553_465_432L,
          1_795_553_466_481L,
          1_795_757_312_285L,
          1_795_881_877_507L,
          1_795_952_388_865L);

  static final long FIXED_SEEDS = 400;
  static final long SEEDS = FIXED_SEEDS + ONCE_BROKEN.size();

  /**
   * Events that must occur; a simulation that keeps every promise because it does little lacks
   * some.
   */
  static final List<String> KINDS =
      List.of(
          "killed",
          "paused",
          "drains checked",
          "drains by request",
          "database down",
          "requests blocked",
          "replies blocked",
          "clock jumped",
          "recovered",
          "fenced",
          "leases lost",
          "broker down",
          "messages lost",
          "messages repeated",
          "messages late",
          "messages received",
          "keys held",
          "transitions");

  private static final int TOO_MANY = 2;

  private SimulationSmoke() {}

  /** Runs the seeds, with classes that precede the product's, until too many are broken. */
  static SimulationJvm.Result run(List<Path> classes) {
    List<Long> args = new ArrayList<>(List.of(1L, FIXED_SEEDS));
    ONCE_BROKEN.forEach(seed -> args.addAll(List.of(seed, 1L)));
    return SimulationJvm.runUntil(TOO_MANY, classes, args.toArray());
  }

  /**
   * Fails for a run with too many broken seeds, an incomplete run, and a run in which one of the
   * events never occurred.
   */
  static void judge(SimulationJvm.Result result) {
    System.out.print(result.output());
    assertThat(result.broken()).as(result.output()).hasSizeLessThan(TOO_MANY);
    // With exit code 2 the simulator itself has failed, whatever the seeds did.
    assertThat(result.exitCode()).as(result.output()).isEqualTo(result.broken().size());
    assertThat(result.seeds()).as(result.output()).isEqualTo(SEEDS);
    assertThat(KINDS).as(result.output()).allMatch(kind -> result.count(kind) > 0);
  }

  /** Returns a line that {@code script/test} shows for a single broken seed; empty for none. */
  static String warning(SimulationJvm.Result result) {
    return result.broken().isEmpty()
        ? ""
        : "==> One simulated schedule of "
            + SEEDS
            + " breaks a promise; look at it: script/simulate --seeds 1 --trace --from "
            + result.broken().getFirst();
  }
}
