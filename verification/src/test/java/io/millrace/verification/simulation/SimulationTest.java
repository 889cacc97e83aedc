package io.millrace.verification.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.verification.support.Length;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The real core keeps its promises in thousands of schedules of faults. {@code
 * -Dmillrace.test.simulation.seeds=N} runs another number; {@code script/simulate} runs any.
 */
@Tag(Length.LONG)
@Timeout(600)
class SimulationTest {

  private static final long SEEDS =
      Long.getLong("millrace.test.simulation.seeds", Length.of(1_000, 10_000));

  /** Ten thousand are as many as this allows; a thousand are waited for. */
  private static final long MOST_SECONDS = Length.of(400, 120);

  /** What a simulation that keeps every promise because it does little would not have. */
  private static final List<String> KINDS =
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
          "leases given up",
          "broker down",
          "messages lost",
          "messages repeated",
          "messages late",
          "messages received",
          "transitions");

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
          assertThat(KINDS).allMatch(kind -> ended.count(kind) > 20, ended.output());
        });
  }

  @Test
  void aSeedIsTheSameScheduleInEveryProcess() {
    List<String> both =
        Stream.of(1, 1).parallel().map(first -> SimulationJvm.run(first, 30).output()).toList();
    assertThat(both.getFirst()).contains("fingerprint").isEqualTo(both.getLast());
  }
}
