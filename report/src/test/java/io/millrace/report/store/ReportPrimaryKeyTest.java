package io.millrace.report.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.report.ReportTestDatabase;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that an execution can make several reports, each of which is stored. */
class ReportPrimaryKeyTest {

  private static final Instant TIME = Instant.parse("2026-11-23T06:00:00Z");

  private static StoredReport report(long execution, String name, Instant time) {
    return new StoredReport(
        execution, "mill", name, "The " + name, name + ".pdf", time, new byte[] {7});
  }

  @ParameterizedTest
  @EnumSource
  void reportsOfOneExecutionAreKeptApart(ReportTestDatabase.Kind kind) {
    try (ReportTestDatabase database = ReportTestDatabase.open(kind)) {
      ReportSchema.create(database.source());
      keepsApart(new ReportStore(database.source()));
    }
  }

  private static void keepsApart(ReportStore store) {
    store.put(report(1, "board", TIME));
    store.put(report(1, "team", TIME.plusSeconds(1)));
    store.put(report(2, "board", TIME.plusSeconds(2)));
    store.put(report(2, "team", TIME.plusSeconds(3)));
    store.put(report(2, "board", TIME.plusSeconds(4)));
    assertThat(store.find(1, "board").orElseThrow().fileName()).isEqualTo("board.pdf");
    assertThat(store.find(1, "team").orElseThrow().fileName()).isEqualTo("team.pdf");
    assertThat(store.find(1, "other")).isEmpty();
    assertThat(store.find(1).orElseThrow().report()).isEqualTo("team");
    assertThat(store.find(2).orElseThrow().report()).isEqualTo("board");
    assertThat(store.newestOfEach())
        .containsExactly(
            new ReportFile(2, "mill", "team", "The team", "team.pdf", TIME.plusSeconds(3), 1),
            new ReportFile(2, "mill", "board", "The board", "board.pdf", TIME.plusSeconds(4), 1));
  }
}
