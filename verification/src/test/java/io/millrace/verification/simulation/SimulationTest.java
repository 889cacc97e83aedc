package io.millrace.verification.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The real core keeps its promises in thousands of schedules of faults. {@code
 * -Dmillrace.test.simulation.seeds=N} runs another number; {@code script/simulate} runs any.
 */
@Timeout(600)
class SimulationTest {

  private static final long SEEDS = Long.getLong("millrace.test.simulation.seeds", 10_000);
  private static final long MOST_SECONDS = 230;

  @Test
  void everyPromiseIsKeptUnderEveryFault() {
    long half = SEEDS / 2;
    List<SimulationJvm.Ended> both =
        Stream.of(1L, 1 + half)
            .parallel()
            .map(first -> SimulationJvm.run(first, half, MOST_SECONDS))
            .toList();
    both.forEach(ended -> System.out.print(ended.output()));
    assertThat(both)
        .allSatisfy(ended -> {
          assertThat(ended.exitCode()).as(ended.output()).isZero();
          assertThat(ended.output()).contains(" keep every promise").doesNotStartWith("0 seeds");
        });
  }

  @Test
  void aSeedIsTheSameScheduleInEveryProcess() {
    SimulationJvm.Ended one = SimulationJvm.run(1, 30);
    SimulationJvm.Ended other = SimulationJvm.run(1, 30);
    assertThat(one.output()).contains("fingerprint").isEqualTo(other.output());
  }

  /** A simulation that does little would keep every promise too. */
  @Test
  void everyKindOfFaultHappens() {
    AtomicLong transitions = new AtomicLong();
    List<String> kinds =
        Stream.iterate(1L, seed -> seed + 1)
            .limit(40)
            .flatMap(seed -> {
              World.Result result = World.run(seed, null);
              transitions.addAndGet(result.counts().getOrDefault("transitions", 0));
              return result.counts().keySet().stream();
            })
            .distinct()
            .toList();
    assertThat(kinds)
        .contains(
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
            "leases given up",
            "broker down",
            "messages lost",
            "messages repeated",
            "messages late",
            "messages received");
    assertThat(transitions.get()).isGreaterThan(500);
  }
}
