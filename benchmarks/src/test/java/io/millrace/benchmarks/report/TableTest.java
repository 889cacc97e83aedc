package io.millrace.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TableTest {

  private static final Column PER_SECOND = Column.moreIsBetter("jobs/s", "perSecond", 0);
  private static final Column MILLIS = Column.lessIsBetter("p50, ms", "p50", 2);

  @Test
  void aSingleRunIsShownAsItIs() {
    Table table = new Table("W1: jobs", List.of(PER_SECOND, MILLIS));
    table.add("Fast", Map.of("perSecond", 12_345.6, "p50", 0.126));

    assertThat(table.markdown())
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
    Table table = new Table("W1", List.of(MILLIS));
    table.add("Fast", Map.of("p50", 3.0));
    table.add("Fast", Map.of("p50", 1.0));
    table.add("Fast", Map.of("p50", 2.0));

    assertThat(row(table, "Fast")).isEqualTo("| Fast | 2.00 (1.00 to 3.00) |");
  }

  @Test
  void otherRowsAreComparedWithTheFirstRunByRun() {
    Table table = new Table("W1", List.of(PER_SECOND));
    table.add("Fast", Map.of("perSecond", 100.0));
    table.add("Slow", Map.of("perSecond", 50.0));
    table.add("Fast", Map.of("perSecond", 900.0));
    table.add("Slow", Map.of("perSecond", 90.0));

    assertThat(row(table, "Fast")).endsWith("|  |");
    assertThat(row(table, "Slow")).endsWith("| 6.0 x |");
  }

  @Test
  void ofAFigureThatShouldBeSmallTheRatioIsTurnedRound() {
    Table table = new Table("W4", List.of(MILLIS));
    table.add("Fast", Map.of("p50", 2.0));
    table.add("Slow", Map.of("p50", 5.0));

    assertThat(row(table, "Slow")).isEqualTo("| Slow | 5.00 | 2.5 x |");
  }

  @Test
  void aFigureThatIsMissingOrUnknownIsADash() {
    Table table = new Table("W1", List.of(PER_SECOND, MILLIS));
    table.add("Fast", Map.of("perSecond", 1.0, "p50", Double.NaN));
    table.add("Slow", Map.of("p50", 1.0));

    assertThat(row(table, "Fast")).isEqualTo("| Fast | 1 | - |  |");
    assertThat(row(table, "Slow")).isEqualTo("| Slow | - | 1.00 | - |");
  }

  private static String row(Table table, String name) {
    return table
        .markdown()
        .lines()
        .filter(line -> line.startsWith("| " + name + " "))
        .findFirst()
        .orElseThrow();
  }
}
