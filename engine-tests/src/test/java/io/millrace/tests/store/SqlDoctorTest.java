package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.millrace.fixtures.TestDatabase;
import io.millrace.lifecycle.EngineSettings.Retention;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlDoctor;
import io.millrace.store.sql.SqlDoctor.Check;
import io.millrace.store.sql.SqlDoctor.Level;
import io.millrace.store.sql.SqlStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of the doctor's report on a PostgreSQL database, and on one with problems. */
class SqlDoctorTest {

  private static final SqlDoctor.Intent USUAL = new SqlDoctor.Intent(SchemaMode.CREATE, 4);

  /** Checks whose result depends on the server and the URL of the tests. */
  private static final List<String> OF_THE_TESTS =
      List.of("durability", "vacuum", "connections", "timeouts");

  private final TestDatabase database = TestDatabase.emptyPostgres(4);

  @AfterEach
  void close() {
    database.close();
  }

  private static List<Check> examine(DataSource pool, SqlDoctor.Intent intent) {
    return SqlDoctor.examine(pool, intent, InstantSource.system());
  }

  private Check only(String name, SqlDoctor.Intent intent) {
    return only(database.pool(), name, intent);
  }

  private static Check only(DataSource pool, String name, SqlDoctor.Intent intent) {
    List<Check> found =
        examine(pool, intent).stream().filter(check -> check.name().equals(name)).toList();
    assertThat(found).as(name).hasSize(1);
    return found.getFirst();
  }

  private void migrate() {
    SqlStore.open(database.pool(), SqlStore.Options.DEFAULT).close();
  }

  /** Returns a check of the same database with other settings of the session. */
  private Check with(String options, String name) {
    return withUrl("&options=" + options, name);
  }

  private Check withUrl(String parameters, String name) {
    try (HikariDataSource pool = new HikariDataSource()) {
      pool.setJdbcUrl(database.url() + parameters);
      pool.setMaximumPoolSize(2);
      return only(pool, name, USUAL);
    }
  }

  @Test
  void aGoodDatabaseIsExaminedInOrderAndNotChanged() {
    migrate();
    assertThat(examine(database.pool(), USUAL))
        .extracting(Check::name)
        .containsExactly(
            "database",
            "schema",
            "clock",
            "privileges",
            "notifications",
            "connections",
            "timeouts",
            "isolation",
            "encoding",
            "durability",
            "vacuum",
            "indexes",
            "schedules",
            "loops");
    assertThat(examine(database.pool(), USUAL))
        .filteredOn(check -> !OF_THE_TESTS.contains(check.name()))
        .extracting(Check::level)
        .containsOnly(Level.OK);
    assertThat(database.number("SELECT COUNT(*) FROM millrace_instance")).isZero();
  }

  @Test
  void schedulesThatRestAreTold() {
    migrate();
    assertThat(only("schedules", USUAL).level()).isEqualTo(Level.OK);
    database.execute(
        """
        INSERT INTO millrace_sequence_type (name) VALUES ('Report');
        INSERT INTO millrace_sequence (sequence_id, type, schedule_type, schedule, recurs,
          active, run_requested, restart, due_at, execution_id, revision, created_at, modified_at)
        SELECT v.id, 'Report', 'DAILY', '{}', TRUE, v.active, FALSE, FALSE, v.due_at, v.execution, 1,
          now() - v.age, now() - v.age
        FROM (VALUES
          ('late', TRUE, now() - interval '11 minutes', NULL, interval '1 day'),
          ('changed just now', TRUE, timestamptz 'epoch', NULL, interval '1 second'),
          ('soon', TRUE, now() + interval '1 day', NULL, interval '1 day'),
          ('aborted', TRUE, NULL, 1, interval '1 day'),
          ('given up', FALSE, NULL, 2, interval '1 day')) AS v(id, active, due_at, execution, age);
        INSERT INTO millrace_outbox (instance_id, seq, channel, state, retry, error, due_at)
        VALUES (1, 1, 'a', 'A', FALSE, 'the broker is away', now()),
          (2, 1, 'a', 'A', FALSE, NULL, now())
        """);
    Check check = only("schedules", USUAL);
    assertThat(check.level()).isEqualTo(Level.WARN);
    assertThat(check.finding())
        .isEqualTo(
            "1 sequences have been due for more than ten minutes."
                + " 1 active sequences are ABORTED and wait for an operator: aborted."
                + " 1 messages to tasks could not be sent.");
    assertThat(check.advice()).contains("millrace sequences restart ID");
  }

  @Test
  void retentionThatIsBehindIsAWarning() {
    migrate();
    SqlDoctor.Intent deleting =
        new SqlDoctor.Intent(
            SchemaMode.CREATE, 4, new Retention(null, Duration.ofDays(30), null, null));
    assertThat(only("retention", deleting).level()).isEqualTo(Level.OK);
    database.execute(
        """
        INSERT INTO millrace_instance (id, type, version, definition_id, executor_group, priority,
          state, status, created_at, modified_at, entered_at, ended_at)
        SELECT i, 'type', 1, 1, 'group', 4, 'state', 'finished', now(), now(), now(),
          now() - INTERVAL '720 hours' - i * INTERVAL '50 minutes'
        FROM generate_series(1, 2) i
        """);
    Check check = only("retention", deleting);
    assertThat(check.level()).isEqualTo(Level.WARN);
    assertThat(check.finding())
        .isEqualTo("Retention is behind: instance 2 should have been deleted 100 minutes ago.");
    database.execute("DELETE FROM millrace_instance WHERE id = 2");
    assertThat(only("retention", deleting).level()).isEqualTo(Level.OK);
  }

  @Test
  void tasksThatNoLiveExecutorCanRunAreNamed() {
    migrate();
    database.execute(
        """
        INSERT INTO millrace_sequence_type (name) VALUES ('Report');
        INSERT INTO millrace_task (id, name, component, dependency,
          type, options, revision, modified_at)
        VALUES (1, 'KPI', 'com.example.Missing', 0, 'Report', '{}', 1, now());
        INSERT INTO millrace_sequence (sequence_id, type, schedule_type, schedule, definition_version,
          recurs, active, run_requested, restart, revision, created_at, modified_at)
        SELECT v.id, 'Report', 'DAILY', '{}', v.definition_version, TRUE, TRUE, FALSE, FALSE, 1, now(),
          now() - interval '1 day'
        FROM (VALUES ('known', 1), ('unknown', 2), ('never defined', 3), ('no shape', NULL))
          AS v(id, definition_version);
        INSERT INTO millrace_sequence_task (sequence_id, task_id, position, next_task_id)
        VALUES ('unknown', 1, 1, -1), ('never defined', 1, 1, -1);
        INSERT INTO millrace_definition (id, type, version, hash, document, created_at,
          modified_at)
        VALUES (11, 'Report', 1, '', '', now(), now()), (1, 'Report', 2, '', '', now(), now())
        """);
    assertThat(only("schedules", USUAL).level()).isEqualTo(Level.OK);
    database.execute(
        """
        INSERT INTO millrace_executor (host, pid, executor_group, definition_ids, version, started_at,
          heartbeat_at, expires_at)
        VALUES ('h', 1, 'millrace', '11', '1', now(), now(), now() + interval '1 minute')
        """);
    Check check = only("schedules", USUAL);
    assertThat(check.level()).isEqualTo(Level.WARN);
    assertThat(check.finding())
        .isEqualTo(
            "2 sequences have tasks that no live executor of their group can run:"
                + " never defined (task KPI: com.example.Missing),"
                + " unknown (task KPI: com.example.Missing).");
    assertThat(check.advice()).contains("jars");
  }

  @Test
  void missingTablesAreMadeLaterOrFail() {
    assertThat(only("schema", USUAL).level()).isEqualTo(Level.WARN);
    assertThat(only("schema", new SqlDoctor.Intent(SchemaMode.VALIDATE, 4)).level())
        .isEqualTo(Level.FAIL);
  }

  @Test
  void tablesOfANewerProgramFail() {
    migrate();
    database.execute("UPDATE millrace_schema SET version = 900 WHERE version = 1");
    assertThat(only("schema", USUAL).finding()).contains("version 900");
  }

  @Test
  void indexesThatAreMissingAreNamed() {
    migrate();
    database.execute("DROP INDEX millrace_instance_claim, millrace_instance_business_key");
    Check check = only("indexes", USUAL);
    assertThat(check.level()).isEqualTo(Level.FAIL);
    assertThat(check.finding())
        .isEqualTo(
            "Missing or not valid: millrace_instance_business_key, millrace_instance_claim.");
  }

  @Test
  void anIndexThatServesNothingUnderItsNameIsFoundByThePlan() {
    migrate();
    database.execute("DROP INDEX millrace_instance_claim");
    database.execute("CREATE INDEX millrace_instance_claim ON millrace_instance (external_id)");
    assertThat(only("indexes", USUAL).finding()).isEqualTo("No index serves the claim.");
  }

  @Test
  void aUserWhoLacksARightIsToldWhich() {
    migrate();
    String user = "doctor_" + UUID.randomUUID().toString().replace("-", "");
    String schema = database.url().replaceFirst(".*currentSchema=([^&]*).*", "$1");
    database.execute("CREATE ROLE " + user + " LOGIN");
    try (HikariDataSource pool = new HikariDataSource()) {
      database.execute("GRANT USAGE ON SCHEMA " + schema + " TO " + user);
      database.execute(
          "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA " + schema + " TO " + user);
      database.execute("GRANT USAGE ON ALL SEQUENCES IN SCHEMA " + schema + " TO " + user);
      database.execute("REVOKE DELETE ON " + schema + ".millrace_instance FROM " + user);
      pool.setJdbcUrl(database.url().replaceFirst("user=[^&]*", "user=" + user));
      pool.setMaximumPoolSize(2);
      Check lacking = only(pool, "privileges", USUAL);
      assertThat(lacking.level()).isEqualTo(Level.FAIL);
      assertThat(lacking.finding())
          .isEqualTo("User " + user + " lacks DELETE on millrace_instance.");

      database.execute("GRANT DELETE ON " + schema + ".millrace_instance TO " + user);
      assertThat(only(pool, "privileges", USUAL).level()).isEqualTo(Level.WARN);
      assertThat(only(pool, "privileges", new SqlDoctor.Intent(SchemaMode.VALIDATE, 4)).level())
          .isEqualTo(Level.OK);
    } finally {
      database.execute("DROP OWNED BY " + user);
      database.execute("DROP ROLE " + user);
    }
  }

  @Test
  void settingsOfTheSessionAreSeen() {
    assertThat(with("-c%20default_transaction_read_only=on", "privileges").finding())
        .isEqualTo("This database can only be read.");
    assertThat(with("-c%20default_transaction_isolation=serializable", "isolation").level())
        .isEqualTo(Level.FAIL);
    Check durability = with("-c%20synchronous_commit=off", "durability");
    assertThat(durability.level()).isEqualTo(Level.WARN);
    assertThat(durability.finding()).contains("synchronous_commit");
  }

  @Test
  void timeoutsThatTheUrlDoesNotSetAreNamed() {
    Check none = withUrl("", "timeouts");
    assertThat(none.level()).isEqualTo(Level.WARN);
    assertThat(none.finding()).contains("no loginTimeout and no socketTimeout");
    assertThat(none.advice()).contains("loginTimeout=10 and socketTimeout=60");
    Check one = withUrl("&loginTimeout=10&socketTimeout=0", "timeouts");
    assertThat(one.level()).isEqualTo(Level.WARN);
    assertThat(one.finding()).contains("sets no socketTimeout:");
    assertThat(withUrl("&loginTimeout=10&socketTimeout=60", "timeouts").level())
        .isEqualTo(Level.OK);
  }

  @Test
  void aPoolThatIsTooLargeIsAWarning() {
    assertThat(only("connections", new SqlDoctor.Intent(SchemaMode.CREATE, 100_000)).level())
        .isEqualTo(Level.WARN);
  }

  @Test
  void aDatabaseThatDoesNotAnswerIsAFinding() {
    try (HikariDataSource pool = new HikariDataSource()) {
      pool.setJdbcUrl("jdbc:postgresql://127.0.0.1:1/none");
      pool.setConnectionTimeout(500);
      pool.setInitializationFailTimeout(-1);
      assertThat(examine(pool, USUAL)).extracting(Check::level).containsExactly(Level.FAIL);
    }
  }
}
