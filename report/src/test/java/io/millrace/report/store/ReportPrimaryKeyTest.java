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

  /** Creates a table in its earlier form, whose key was the execution alone. */
  private static void earlier(ReportTestDatabase database, ReportTestDatabase.Kind kind) {
    database.execute(
        """
        create table millrace_report_pdf (
          execution_id bigint not null primary key,
          workflow_id varchar(150) not null,
          report varchar(100) not null,
          title varchar(300) not null,
          file_name varchar(200) not null,
          created_at timestamp with time zone not null,
          content %s not null)
        """
            .formatted(kind == ReportTestDatabase.Kind.H2 ? "blob" : "bytea"));
    database.execute(
        """
        insert into millrace_report_pdf values
          (7, 'barn', 'board', 'Old', 'old.pdf', timestamp '2026-11-22 06:00:00', %s)
        """
            .formatted(kind == ReportTestDatabase.Kind.H2 ? "x'01'" : "'\\x01'"));
  }

  private static void isMended(ReportTestDatabase database) {
    assertThat(ReportSchema.missing(database.source())).isEmpty();
    ReportStore store = new ReportStore(database.source());
    assertThat(store.find(7, "board").orElseThrow().title()).isEqualTo("Old");
    store.put(report(7, "team", TIME));
    assertThat(store.find(7, "board").orElseThrow().content()).containsExactly(1);
    assertThat(store.find(7, "team").orElseThrow().content()).containsExactly(7);
    database.execute("delete from millrace_report_pdf");
    keepsApart(store);
  }

  @ParameterizedTest
  @EnumSource
  void aTableWhoseKeyWasTheExecutionIsMended(ReportTestDatabase.Kind kind) {
    try (ReportTestDatabase database = ReportTestDatabase.open(kind)) {
      earlier(database, kind);
      assertThat(ReportSchema.missing(database.source())).contains("millrace_report_pdf");
      ReportSchema.create(database.source());
      ReportSchema.create(database.source());
      isMended(database);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsPrintedMendsItTooAndMayBeAppliedTwice(ReportTestDatabase.Kind kind) {
    try (ReportTestDatabase database = ReportTestDatabase.open(kind)) {
      earlier(database, kind);
      String printed = ReportSchema.print(kind.name());
      database.execute(printed);
      database.execute(printed);
      isMended(database);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aTableLeftWithoutAKeyGetsOne(ReportTestDatabase.Kind kind) {
    try (ReportTestDatabase database = ReportTestDatabase.open(kind)) {
      ReportSchema.create(database.source());
      database.execute(
          kind == ReportTestDatabase.Kind.H2
              ? "alter table millrace_report_pdf drop primary key"
              : "alter table millrace_report_pdf drop constraint millrace_report_pdf_pkey");
      ReportSchema.create(database.source());
      keepsApart(new ReportStore(database.source()));
      assertThat(
              database.number(
                  "select count(*) from information_schema.table_constraints"
                      + " where lower(table_name) = 'millrace_report_pdf'"
                      + " and constraint_type = 'PRIMARY KEY' and table_schema = "
                      + (kind == ReportTestDatabase.Kind.H2
                          ? "current_schema"
                          : "current_schema()")))
          .isEqualTo(1);
    }
  }
}
