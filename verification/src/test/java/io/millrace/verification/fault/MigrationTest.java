package io.millrace.verification.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.store.sql.SqlStore;
import io.millrace.verification.support.Patience;
import io.millrace.verification.support.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the tables are created once, in the right schema, even if many nodes start at the same
 * moment.
 */
class MigrationTest {

  private static final SqlStore.Options MIGRATE = new SqlStore.Options(true, null, false);
  private static final int NODES = 4;

  @Test
  void tablesAreMadeInTheSchemaOfTheConnectionThoughAnotherOnItsPathHasSome() {
    try (TestDatabase database = TestDatabase.emptyPostgres()) {
      SqlStore.open(database.pool(), MIGRATE).close();
      String own = "own_" + System.nanoTime();
      database.execute("CREATE SCHEMA " + own);
      HikariConfig config = new HikariConfig();
      config.setJdbcUrl(database.url().replace("currentSchema=", "currentSchema=" + own + ","));
      config.setMaximumPoolSize(4);
      try (HikariDataSource pool = new HikariDataSource(config)) {
        SqlStore.open(pool, MIGRATE).close();
        assertThat(
                database.number(
                    "SELECT count(*) FROM information_schema.tables WHERE table_schema = '"
                        + own
                        + "' AND table_name = 'millrace_workflow'"))
            .isEqualTo(1);
      } finally {
        database.execute("DROP SCHEMA " + own + " CASCADE");
      }
    }
  }

  @Test
  void aMigrationOfH2ThatWasCutShortIsDoneAgain() {
    cutShortAtEvery(20);
  }

  @Test
  @Tag("races")
  void aMigrationOfH2ThatWasCutShortAfterAnyStatementIsDoneAgain() {
    cutShortAtEvery(1);
  }

  private static void cutShortAtEvery(int statement) {
    String schema = SqlStore.printSchema("h2").replaceAll("--[^\n]*", "");
    List<String> statements =
        Pattern.compile(";\\s*\n").splitAsStream(schema).filter(s -> !s.isBlank()).toList();
    assertThat(statements).hasSizeGreaterThan(50);
    for (int done = 1; done <= statements.size(); done += statement) {
      try (TestDatabase database = TestDatabase.emptyH2()) {
        statements.subList(0, done).forEach(database::execute);
        SqlStore.open(database.pool(), MIGRATE).close();
        assertThat(database.number("SELECT count(*) FROM millrace_mark")).isEqualTo(4);
      }
    }
  }

  @Test
  void aMigrationOfH2ThatWasToldToHaveFailedIsDoneAgain() {
    try (TestDatabase database = TestDatabase.emptyH2()) {
      migrate(database, "h2", "3");
      database.execute("ALTER TABLE millrace_workflow_task DROP COLUMN reshaped");
      database.execute(
          "UPDATE \"millrace_schema_history\" SET \"success\" = FALSE WHERE \"version\" > '2'");

      SqlStore.open(database.pool(), MIGRATE).close();

      assertThat(database.number("SELECT count(reshaped) FROM millrace_workflow_task")).isZero();
    }
  }

  /** Creates the tables as of a version. */
  private static void migrate(TestDatabase database, String kind, String version) {
    Flyway.configure()
        .dataSource(database.pool())
        .locations("classpath:io/millrace/store/sql/" + kind)
        .table("millrace_schema_history")
        .baselineOnMigrate(true)
        .baselineVersion("0")
        .target(version)
        .load()
        .migrate();
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "postgresql"})
  void workflowsOfBeforeBelongToThoseWhoRanThem(String kind) {
    try (TestDatabase database =
        kind.equals("h2") ? TestDatabase.emptyH2() : TestDatabase.emptyPostgres()) {
      migrate(database, kind, "2");
      for (String sql :
          List.of(
              "INSERT INTO millrace_workflow_type (workflowtype) VALUES ('Report')",
              """
              INSERT INTO millrace_workflow_task (description, componentname, dependency, workflowtype,
                options, revision, modified)
              VALUES ('KPI', 'c', 0, 'Report', '{}', 1, CURRENT_TIMESTAMP)
              """,
              """
              INSERT INTO millrace_workflow (id, type, version, definition_id, executor_group, priority,
                state, status, created, modified, entered, seq)
              VALUES (7, 'Report', 1, 1, 'billing', 4, 'KPI', 'created', CURRENT_TIMESTAMP,
                CURRENT_TIMESTAMP, CURRENT_TIMESTAMP, 0)
              """,
              """
              INSERT INTO millrace_schedule (workflow_id, workflow_type, schedule_type, schedule,
                recurs, active, immediate, restart, execution_id, revision, created, modified)
              VALUES ('ran', 'Report', 'DAILY', '{}', TRUE, TRUE, FALSE, FALSE, 7, 1,
                  CURRENT_TIMESTAMP, CURRENT_TIMESTAMP),
                ('new', 'Report', 'DAILY', '{}', TRUE, TRUE, FALSE, FALSE, NULL, 1,
                  CURRENT_TIMESTAMP, CURRENT_TIMESTAMP)
              """)) {
        database.execute(sql);
      }

      try (SqlStore store = SqlStore.open(database.pool(), MIGRATE)) {
        assertThat(store.sequences().find("ran").orElseThrow().executorGroup())
            .isEqualTo("billing");
        assertThat(store.sequences().find("new").orElseThrow().executorGroup())
            .isEqualTo("millrace");
        assertThat(store.tasks().appliedRevision(store.tasks().tasks().getFirst().id())).isZero();
      }
    }
  }

  @RepeatedTest(3)
  void severalNodesMayMakeThemAtOnce() throws Exception {
    try (TestDatabase database = TestDatabase.emptyPostgres()) {
      List<HikariDataSource> pools = new ArrayList<>();
      try {
        for (int node = 0; node < NODES; node++) {
          pools.add(database.open(4));
        }
        List<CompletableFuture<Void>> opened =
            pools.stream()
                .map(pool ->
                    CompletableFuture.runAsync(
                        () -> SqlStore.open(pool, MIGRATE).close(),
                        task -> Thread.ofPlatform().start(task)))
                .toList();
        for (CompletableFuture<Void> one : opened) {
          one.get(Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        }
      } finally {
        pools.forEach(HikariDataSource::close);
      }
    }
  }
}
