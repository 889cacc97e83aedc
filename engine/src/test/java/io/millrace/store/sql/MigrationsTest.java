package io.millrace.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Patience;
import io.millrace.store.StoreException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the runner of migrations on H2, with files of its own. */
class MigrationsTest {

  private static final String FOLDER = "io/millrace/store/sql/migrations/";
  private static final Migrations FIRST = migrations("V1__tables.sql");
  private static final Migrations SECOND = migrations("V1__tables.sql", "V2__more_columns.sql");
  private static final Migrations BROKEN =
      migrations("V1__tables.sql", "V2__more_columns.sql", "V3__broken.sql");

  private final JdbcDataSource database = newDatabase();

  private static JdbcDataSource newDatabase() {
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    database.setUser("sa");
    return database;
  }

  private static Migrations migrations(String... files) {
    return Migrations.of(
        "test", "the tables of the test", MigrationsTest.class, FOLDER, List.of(files));
  }

  @AfterEach
  void shutDown() {
    execute("SHUTDOWN");
  }

  @Test
  void appliesWhatIsDueAndRecordsIt() {
    FIRST.apply(database, SchemaMode.CREATE);
    SECOND.apply(database, SchemaMode.CREATE);
    SECOND.apply(database, SchemaMode.VALIDATE);

    assertThat(
            texts(
                "SELECT component || ' ' || version || ' ' || description || ' ' || applied_by"
                    + " FROM millrace_schema WHERE applied_at IS NOT NULL ORDER BY version"))
        .containsExactly("test 1 tables SA", "test 2 more columns SA");
    assertThat(texts("SELECT note FROM test_item")).containsExactly("für; alle");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\r\n", "\r"})
  void lineEndsDoNotChangeTheChecksum(String end) {
    Migration migration = Migration.of("test", "V1__a.sql", "SELECT 1;\nSELECT 2;\n");
    Migration other =
        Migration.of("test", "V1__a.sql", "\uFEFF" + "SELECT 1;\nSELECT 2;\n".replace("\n", end));

    assertThat(other.checksum()).isEqualTo(migration.checksum()).hasSize(64);
    assertThat(Migration.of("test", "V1__a.sql", "SELECT 1;\nSELECT 3;\n").checksum())
        .isNotEqualTo(migration.checksum());
  }

  @Test
  void refusesANameWithoutVersion() {
    assertThatThrownBy(() -> Migration.of("test", "tables.sql", ""))
        .hasMessageContaining("'tables.sql'")
        .hasMessageContaining("V1__tables.sql");
  }

  @Test
  void theWayOutOfMissingTablesIsNamed() {
    assertThatThrownBy(() -> FIRST.apply(database, SchemaMode.VALIDATE))
        .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.rejected()).isTrue())
        .hasMessageContaining("The tables of the test are missing. Due are V1__tables.sql.")
        .hasMessageContaining("database.schema = create")
        .hasMessageContaining("millrace schema print --db h2");
  }

  @Test
  void olderTablesAreNamedWithWhatIsDue() {
    FIRST.apply(database, SchemaMode.CREATE);

    assertThatThrownBy(() -> SECOND.apply(database, SchemaMode.VALIDATE))
        .hasMessageContaining("they are of version 1, expected 2. Due are V2__more_columns.sql.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"CREATE", "VALIDATE"})
  void newerTablesAreRefused(SchemaMode mode) {
    SECOND.apply(database, SchemaMode.CREATE);

    assertThatThrownBy(() -> FIRST.apply(database, mode))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("are of version 2")
        .hasMessageContaining("knows versions up to 1")
        .hasMessageContaining("Start the newer program");
    FIRST.apply(database, SchemaMode.NONE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"CREATE", "VALIDATE"})
  void aChangedFileIsNamed(SchemaMode mode) {
    SECOND.apply(database, SchemaMode.CREATE);
    execute("UPDATE millrace_schema SET checksum = 'other' WHERE version = 1");

    assertThatThrownBy(() -> SECOND.apply(database, mode))
        .hasMessageContaining("V1__tables.sql is not the file")
        .hasMessageContaining("millrace_schema has other for version 1")
        .hasMessageContaining("component 'test'");
  }

  @Test
  void aSkippedFileIsNamed() {
    SECOND.apply(database, SchemaMode.CREATE);
    execute("DELETE FROM millrace_schema WHERE version = 1");

    assertThatThrownBy(() -> SECOND.apply(database, SchemaMode.CREATE))
        .hasMessageContaining("V1__tables.sql was not applied")
        .hasMessageContaining("no row for version 1");
  }

  @Test
  void aFailedStatementIsNamedAndRepeated() {
    assertThatThrownBy(() -> BROKEN.apply(database, SchemaMode.CREATE))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("V3__broken.sql, line 4:")
        .hasMessageContaining("NO_SUCH_TABLE")
        .hasMessageContaining("the next start repeats them");
    assertThatThrownBy(() -> BROKEN.apply(database, SchemaMode.VALIDATE))
        .hasMessageContaining("they are of version 2, expected 3")
        .hasMessageContaining("begun and not finished");

    execute("CREATE TABLE no_such_table (id bigint)");
    BROKEN.apply(database, SchemaMode.CREATE);

    BROKEN.apply(database, SchemaMode.VALIDATE);
    assertThat(texts("SELECT COUNT(*) FROM test_broken")).containsExactly("0");
  }

  @Test
  void aProcessThatDiedInTheMiddleIsReplaced() {
    execute(SchemaHistory.CREATE);
    execute(
        "INSERT INTO millrace_schema VALUES ('test', 1, 'tables', '%s', NULL, 'session 5 of 17.5')"
            .formatted(FIRST.list("h2").getFirst().checksum()));
    execute("CREATE TABLE test_item (id bigint PRIMARY KEY, name varchar(10))");

    FIRST.apply(database, SchemaMode.CREATE);

    FIRST.apply(database, SchemaMode.VALIDATE);
  }

  @Test
  void componentsAreAppliedTogetherAlsoAfterAnInterruptionOfOne() {
    Migrations other =
        Migrations.of(
            "other",
            "the tables of another test",
            MigrationsTest.class,
            FOLDER,
            List.of("V2__more_columns.sql"));
    Migrations both = FIRST.with(List.of(other));
    execute(SchemaHistory.CREATE);
    execute(
        "INSERT INTO millrace_schema VALUES ('test', 1, 'tables', '%s', NULL, 'session 5 of 17.5')"
            .formatted(FIRST.list("h2").getFirst().checksum()));

    both.apply(database, SchemaMode.CREATE);

    both.apply(database, SchemaMode.VALIDATE);
    FIRST.apply(database, SchemaMode.VALIDATE);
    assertThat(
            texts(
                "SELECT component || ' ' || version FROM millrace_schema"
                    + " WHERE applied_at IS NOT NULL ORDER BY component"))
        .containsExactly("other 2", "test 1");
  }

  @Test
  void theWaitForAnotherProcessEndsWithItsNameAndTheWayOut() throws SQLException {
    try (Connection other = database.getConnection();
        Statement statement = other.createStatement()) {
      statement.execute(SchemaHistory.CREATE);
      statement.execute(
          "INSERT INTO millrace_schema SELECT 'test', 1, 'tables', '"
              + FIRST.list("h2").getFirst().checksum()
              + "', NULL, 'session ' || SESSION_ID || ' of ' || EXTRACT(EPOCH FROM SESSION_START)"
              + " FROM INFORMATION_SCHEMA.SESSIONS WHERE SESSION_ID = SESSION_ID()");

      Jdbc jdbc = new Jdbc(database, Dialects.named("h2"), null);
      SchemaWait wait = new SchemaWait(Duration.ofMillis(20), Duration.ofMillis(40));
      assertThatThrownBy(() -> FIRST.apply(jdbc, SchemaMode.CREATE, wait))
          .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.rejected()).isFalse())
          .hasMessageContaining("held by session ")
          .hasMessageContaining("SET applied_by = 'interrupted'");
    }
    FIRST.apply(database, SchemaMode.CREATE);
  }

  @Test
  void tablesWithoutHistoryAreNotMigrated() {
    execute("CREATE TABLE test_item (id bigint PRIMARY KEY, name varchar(10))");

    for (SchemaMode mode : List.of(SchemaMode.CREATE, SchemaMode.VALIDATE)) {
      assertThatThrownBy(() -> FIRST.apply(database, mode))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("'TEST_ITEM'")
          .hasMessageContaining("made before the first release")
          .hasMessageContaining("drop them or use another schema");
    }
  }

  @Test
  void aReadOnlyDatabaseWithoutTablesIsNamed(@TempDir Path folder) throws SQLException {
    JdbcDataSource file = new JdbcDataSource();
    file.setURL("jdbc:h2:" + folder.resolve("data"));
    file.getConnection().close();
    file.setURL(file.getURL() + ";ACCESS_MODE_DATA=r");

    assertThatThrownBy(() -> FIRST.apply(file, SchemaMode.CREATE))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("The tables of the test are missing or not up to date")
        .hasMessageContaining("read-only")
        .hasMessageContaining("millrace schema print --db h2");
  }

  @Test
  void aUserWithoutTheRightToCreateTablesIsToldBothWaysOut() throws SQLException {
    execute("CREATE USER weak PASSWORD ''");
    JdbcDataSource weak = new JdbcDataSource();
    weak.setURL(database.getURL().replace(";DB_CLOSE_DELAY=-1", ""));
    weak.setUser("weak");

    assertThatThrownBy(() -> FIRST.apply(weak, SchemaMode.CREATE))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("lacks a right on the tables of the test")
        .hasMessageContaining("ALTER ANY SCHEMA")
        .hasMessageContaining("let an administrator apply")
        .hasMessageContaining("millrace schema print --db h2");

    FIRST.apply(database, SchemaMode.CREATE);
    execute("GRANT SELECT, INSERT, UPDATE, DELETE ON SCHEMA PUBLIC TO weak");
    FIRST.apply(weak, SchemaMode.CREATE);
  }

  @Test
  void connectionsMayHaveAutomaticCommitOff() throws SQLException {
    JdbcDataSource manual = new JdbcDataSource();
    manual.setURL(database.getURL() + ";INIT=SET AUTOCOMMIT FALSE");
    manual.setUser("sa");
    try (Connection connection = manual.getConnection()) {
      assertThat(connection.getAutoCommit()).isFalse();
    }
    SECOND.apply(manual, SchemaMode.CREATE);
    SECOND.apply(manual, SchemaMode.VALIDATE);
  }

  @Test
  void severalNodesApplyAMigrationOnce() throws Exception {
    List<CompletableFuture<Void>> nodes = new ArrayList<>();
    for (int node = 0; node < 10; node++) {
      nodes.add(
          CompletableFuture.runAsync(
              () -> SECOND.apply(database, SchemaMode.CREATE),
              task -> Thread.ofPlatform().start(task)));
    }
    for (CompletableFuture<Void> node : nodes) {
      node.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }
    assertThat(texts("SELECT COUNT(*) FROM test_item")).containsExactly("1");
    assertThat(texts("SELECT COUNT(*) FROM millrace_schema")).containsExactly("2");
  }

  private void execute(String sql) {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  private List<String> texts(String sql) {
    List<String> texts = new ArrayList<>();
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
    return texts;
  }
}
