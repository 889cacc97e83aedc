package io.millrace.imports;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.imports.ImportEntry.Kind;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.sequence.SequenceService;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** An import from a source of the test's own into an engine of the test's own. */
abstract class ImportContract {

  /** Time of the import, a Wednesday. */
  static final Instant NOW = Instant.parse("2026-01-07T10:00:00Z");

  static final String KPI = "com.example.ReportKPISubscriber";

  private final boolean postgres;
  SourceFixture source;
  private String targetUrl;
  private HikariDataSource pool;
  private Engine engine;

  ImportContract(boolean postgres) {
    this.postgres = postgres;
  }

  @BeforeEach
  void open() throws SQLException {
    source = SourceFixture.create(postgres);
    targetUrl = SourceFixture.fresh(postgres);
    pool = new HikariDataSource();
    pool.setJdbcUrl(targetUrl);
    engine =
        Engine.builder()
            .dataSource(pool)
            .settings(EngineSettings.defaults().runsInstances(false))
            .start();
  }

  @AfterEach
  void close() throws SQLException {
    engine.close();
    pool.close();
    SourceFixture.remove(targetUrl);
    source.close();
  }

  SequenceService target() {
    return engine.sequences();
  }

  ImportReport run(boolean dryRun, boolean replace) {
    try (InsightsSource opened = source.open()) {
      return InsightsImport.run(
          opened,
          new InsightsImport.Target(target(), task -> Optional.ofNullable(target().problem(task))),
          new InsightsImport.Options(dryRun, replace),
          NOW);
    }
  }

  ImportReport run() {
    return run(false, false);
  }

  static ImportEntry entry(ImportReport report, Kind kind, String id) {
    List<ImportEntry> found =
        report.entries().stream().filter(e -> e.kind() == kind && e.id().equals(id)).toList();
    assertThat(found).as(id).hasSize(1);
    return found.getFirst();
  }

  static ImportEntry workflow(ImportReport report, String id) {
    return entry(report, Kind.WORKFLOW, id);
  }

  List<String> targetContent() throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = pool.getConnection()) {
      for (String table :
          List.of(
              "millrace_sequence_type",
              "millrace_task",
              "millrace_sequence",
              "millrace_sequence_task",
              "millrace_slot_record",
              "millrace_executor")) {
        rows.addAll(SourceFixture.rows(connection, table));
      }
    }
    return rows;
  }
}
