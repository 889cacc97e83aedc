package io.millrace.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BenchmarkTableTest {

  private static final Column PER_SECOND = Column.moreIsBetter("jobs/s", "perSecond", 0);
  private static final Column MILLIS = Column.lessIsBetter("p50, ms", "p50", 2);

  @Test
  void aSingleRunIsShownAsItIs() {
    BenchmarkTable benchmarkTable = new BenchmarkTable("W1: jobs", List.of(PER_SECOND, MILLIS));
    benchmarkTable.add("Fast", Map.of("perSecond", 12_345.6, "p50", 0.126));

    assertThat(benchmarkTable.markdown())
        .isEqualTo(
            """
            ### W1: jobs

            |  | jobs/s | p50, ms |
            |---|---|---|
            | Fast | 12,346 | 0.13 |
            """);
  }

  @Test
  void severalRunsAreShownAsTheMedianWithTheSmallestAndTheLargest() {
    BenchmarkTable benchmarkTable = new BenchmarkTable("W1", List.of(MILLIS));
    benchmarkTable.add("Fast", Map.of("p50", 3.0));
    benchmarkTable.add("Fast", Map.of("p50", 1.0));
    benchmarkTable.add("Fast", Map.of("p50", 2.0));

    assertThat(row(benchmarkTable, "Fast")).isEqualTo("| Fast | 2.00 (1.00 to 3.00) |");
  }

  @Test
  void otherRowsAreComparedWithTheFirstRunByRun() {
    BenchmarkTable benchmarkTable = new BenchmarkTable("W1", List.of(PER_SECOND));
    benchmarkTable.add("Fast", Map.of("perSecond", 100.0));
    benchmarkTable.add("Slow", Map.of("perSecond", 50.0));
    benchmarkTable.add("Fast", Map.of("perSecond", 900.0));
    benchmarkTable.add("Slow", Map.of("perSecond", 90.0));

    assertThat(row(benchmarkTable, "Fast")).endsWith("|  |");
    assertThat(row(benchmarkTable, "Slow")).endsWith("| 6.0 x |");
  }

  @Test
  void ofAFigureThatShouldBeSmallTheRatioIsTurnedRound() {
    BenchmarkTable benchmarkTable = new BenchmarkTable("W4", List.of(MILLIS));
    benchmarkTable.add("Fast", Map.of("p50", 2.0));
    benchmarkTable.add("Slow", Map.of("p50", 5.0));

    assertThat(row(benchmarkTable, "Slow")).isEqualTo("| Slow | 5.00 | 2.5 x |");
  }

  @Test
  void aFigureThatIsMissingOrUnknownIsADash() {
    BenchmarkTable benchmarkTable = new BenchmarkTable("W1", List.of(PER_SECOND, MILLIS));
    benchmarkTable.add("Fast", Map.of("perSecond", 1.0, "p50", Double.NaN));
    benchmarkTable.add("Slow", Map.of("p50", 1.0));

    assertThat(row(benchmarkTable, "Fast")).isEqualTo("| Fast | 1 | - |  |");
    assertThat(row(benchmarkTable, "Slow")).isEqualTo("| Slow | - | 1.00 | - |");
  }

  private static String row(BenchmarkTable benchmarkTable, String name) {
    return benchmarkTable
        .markdown()
        .lines()
        .filter(line -> line.startsWith("| " + name + " "))
        .findFirst()
        .orElseThrow();
  }
}
