package io.millrace.verification.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.fixtures.Proxies;
import io.millrace.fixtures.TestDatabase;
import io.millrace.store.StoreException;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlDoctor;
import io.millrace.store.sql.SqlStore;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that a table of another program under one of the store's names is reported, and that
 * nothing is changed.
 */
class ForeignTableTest {

  private static TestDatabase database(String kind) {
    return kind.equals("h2") ? TestDatabase.emptyH2() : TestDatabase.emptyPostgres();
  }

  private static void open(TestDatabase database, SchemaMode mode) {
    SqlStore.open(database.pool(), new SqlStore.Options(mode, null, false)).close();
  }

  private static List<String> tables(TestDatabase database) {
    return database
        .lines(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = CURRENT_SCHEMA")
        .stream()
        .map(name -> name.toLowerCase(Locale.ROOT))
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "h2, millrace_executor, 'expected also [host, pid, executor_group'",
    "postgresql, millrace_executor, 'expected also [host, pid, executor_group'",
    "h2, millrace_continuous_workflow, 'expected also ['",
    "postgresql, millrace_continuous_workflow, 'expected also ['",
    "postgresql, millrace_archive_instance, 'expected also [type, version'",
    "h2, millrace_sequence_status, 'expected a view'",
    "postgresql, millrace_sequence_status, 'expected a view'",
    "postgresql, millrace_schema, 'expected also ['",
    "h2, millrace_schema, 'expected also ['"
  })
  void isNamedWithItsColumns(String kind, String table, String expected) {
    try (TestDatabase database = database(kind)) {
      database.execute("CREATE TABLE " + table + " (id bigint, color varchar(10))");

      for (SchemaMode mode : List.of(SchemaMode.CREATE, SchemaMode.VALIDATE)) {
        assertThatThrownBy(() -> open(database, mode))
            .isInstanceOfSatisfying(
                StoreException.class, error -> assertThat(error.rejected()).isTrue())
            .message()
            .containsIgnoringCase("has a table '" + table + "' that does not belong to Millrace")
            .contains("Schema '")
            .contains(expected)
            .contains("Use another schema")
            .doesNotContain("are missing");
      }

      assertThat(tables(database)).containsExactly(table);
      SqlDoctor.Check check = schemaCheck(database);
      assertThat(check.level()).isEqualTo(SqlDoctor.Level.FAIL);
      assertThat(check.finding()).containsIgnoringCase(table).contains(expected);
      assertThat(check.finding()).contains("another schema");
    }
  }

  private static SqlDoctor.Check schemaCheck(TestDatabase database) {
    return SqlDoctor.examine(
            database.pool(), new SqlDoctor.Intent(SchemaMode.CREATE, 4), InstantSource.system())
        .stream()
        .filter(check -> check.name().equals("schema"))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "postgresql"})
  void ownTablesOfAnEarlierVersionAreNotForeign(String kind) {
    try (TestDatabase database = database(kind)) {
      TestMigrations.engine(kind, 1).apply(database.pool(), SchemaMode.CREATE);
      open(database, SchemaMode.CREATE);
      assertThat(tables(database)).contains("millrace_executor", "millrace_sequence_status");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "h2, \"millrace_schema_history\"",
    "postgresql, millrace_schema_history",
    "h2, millrace_server_schema_history"
  })
  void tablesOfBeforeTheFirstReleaseAreRefused(String kind, String history) {
    try (TestDatabase database = database(kind)) {
      database.execute("CREATE TABLE " + history + " (installed_rank integer)");
      database.execute("CREATE TABLE millrace_executor (id bigint)");

      for (SchemaMode mode : List.of(SchemaMode.CREATE, SchemaMode.VALIDATE)) {
        assertThatThrownBy(() -> open(database, mode))
            .isInstanceOf(StoreException.class)
            .message()
            .containsIgnoringCase("the table '" + history.replace("\"", "") + "'")
            .contains("made before the first release")
            .contains("are not migrated; drop them or use another schema");
      }
      assertThat(tables(database)).hasSize(2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "postgresql"})
  void tablesWithoutTheirHistoryAreRefused(String kind) {
    try (TestDatabase database = database(kind)) {
      open(database, SchemaMode.CREATE);
      database.execute("DROP TABLE millrace_schema");

      assertThatThrownBy(() -> open(database, SchemaMode.CREATE))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("no row in millrace_schema")
          .hasMessageContaining("drop them or use another schema");
    }
  }

  /** While another node creates the tables, their columns are not visible yet. */
  @ParameterizedTest
  @ValueSource(strings = {"h2", "postgresql"})
  void aTableWhoseColumnsCannotBeSeenIsNotForeign(String kind) {
    try (TestDatabase database = database(kind)) {
      database.execute("CREATE TABLE millrace_executor (id bigint)");
      AtomicBoolean dropped = new AtomicBoolean();
      DataSource dropping =
          before(
              "getColumns",
              database.pool(),
              () -> {
                if (dropped.compareAndSet(false, true)) {
                  database.execute("DROP TABLE millrace_executor");
                }
              });

      SqlStore.open(dropping, new SqlStore.Options(SchemaMode.CREATE, null, false)).close();

      assertThat(dropped).isTrue();
      assertThat(tables(database)).contains("millrace_executor", "millrace_sequence_status");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "postgresql"})
  void tablesThatAnotherNodeHasJustCreatedAreCurrent(String kind) {
    try (TestDatabase database = database(kind)) {
      AtomicBoolean created = new AtomicBoolean();
      DataSource late =
          before(
              "getTables",
              database.pool(),
              () -> {
                if (created.compareAndSet(false, true)) {
                  open(database, SchemaMode.CREATE);
                }
              });

      SqlStore.open(late, new SqlStore.Options(SchemaMode.CREATE, null, false)).close();

      assertThat(created).isTrue();
    }
  }

  /** Returns the data source with an action before each query of its metadata with that name. */
  private static DataSource before(String query, DataSource target, Runnable action) {
    return Proxies.proxy(
        DataSource.class,
        (method, args) -> {
          Object result = Proxies.invoke(target, method, args);
          return result instanceof Connection connection
              ? before(query, connection, action)
              : result;
        });
  }

  private static Connection before(String query, Connection target, Runnable action) {
    return Proxies.proxy(
        Connection.class,
        (method, args) -> {
          Object result = Proxies.invoke(target, method, args);
          return result instanceof DatabaseMetaData data ? before(query, data, action) : result;
        });
  }

  private static DatabaseMetaData before(String query, DatabaseMetaData target, Runnable action) {
    return Proxies.proxy(
        DatabaseMetaData.class,
        (method, args) -> {
          if (method.getName().equals(query)) {
            action.run();
          }
          return Proxies.invoke(target, method, args);
        });
  }
}
