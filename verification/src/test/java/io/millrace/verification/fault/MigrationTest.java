package io.millrace.verification.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.fixtures.Patience;
import io.millrace.fixtures.TestDatabase;
import io.millrace.store.StoreException;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the tables are created once, in the right schema, even if many nodes start at the same
 * moment.
 */
class MigrationTest {

  private static final SqlStore.Options MIGRATE =
      new SqlStore.Options(SchemaMode.CREATE, null, false);
  private static final int NODES = 10;

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
                        + "' AND table_name = 'millrace_instance'"))
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

  private static void cutShortAtEvery(int step) {
    int limit = 1;
    boolean cut;
    do {
      try (TestDatabase database = TestDatabase.emptyH2()) {
        CountingDataSource dying = CountingDataSource.dyingAt(database, limit);
        cut = false;
        try {
          SqlStore.open(dying.dataSource(), MIGRATE).close();
        } catch (StoreException e) {
          cut = true;
        }
        SqlStore.open(database.pool(), MIGRATE).close();
        assertThat(database.number("SELECT count(*) FROM millrace_mark")).isEqualTo(4);
      }
      limit += step;
    } while (cut);
    assertThat(limit).isGreaterThan(50);
  }

  @Test
  void aMigrationOfPostgresThatFailsChangesNothing() {
    try (TestDatabase database = TestDatabase.emptyPostgres()) {
      assertThatThrownBy(() -> TestMigrations.of(3).apply(database.pool(), SchemaMode.CREATE))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("V3__broken.sql, line 4:")
          .hasMessageContaining("no_such_table")
          .hasMessageContaining("Nothing was changed.");
      assertThat(tables(database)).isZero();

      TestMigrations.of(2).apply(database.pool(), SchemaMode.CREATE);
      assertThatThrownBy(() -> TestMigrations.of(3).apply(database.pool(), SchemaMode.VALIDATE))
          .hasMessageContaining("they are of version 2, expected 3. Due are V3__broken.sql.")
          .hasMessageContaining("millrace schema print --db postgresql");
      assertThatThrownBy(() -> TestMigrations.of(1).apply(database.pool(), SchemaMode.CREATE))
          .hasMessageContaining("are of version 2")
          .hasMessageContaining("knows versions up to 1");
    }
  }

  private static long tables(TestDatabase database) {
    return database.number(
        "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = CURRENT_SCHEMA");
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "postgresql"})
  void oneOfTenNodesMakesTheTables(String kind) throws Exception {
    try (TestDatabase database = database(kind)) {
      List<HikariDataSource> pools = new ArrayList<>();
      List<CountingDataSource> nodes = new ArrayList<>();
      try {
        for (int node = 0; node < NODES; node++) {
          pools.add(database.open(1));
          nodes.add(CountingDataSource.of(pools.getLast()));
        }
        List<CompletableFuture<Void>> opened =
            nodes.stream()
                .map(node ->
                    CompletableFuture.runAsync(
                        () -> SqlStore.open(node.dataSource(), MIGRATE).close(),
                        task -> Thread.ofPlatform().start(task)))
                .toList();
        for (CompletableFuture<Void> one : opened) {
          one.get(Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        }
        assertThat(nodes.stream().filter(node -> node.count("CREATE TABLE.*millrace_mark") > 0))
            .hasSize(1);
        assertThat(
                nodes.stream().mapToLong(node -> node.count("CREATE TABLE.*millrace_mark")).sum())
            .isEqualTo(1);
      } finally {
        pools.forEach(HikariDataSource::close);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "postgresql"})
  void aNodeThatFindsCurrentTablesReadsOnceAndWritesNothing(String kind) {
    try (TestDatabase database = database(kind)) {
      TestMigrations.of(2).apply(database.pool(), SchemaMode.CREATE);
      CountingDataSource node = CountingDataSource.of(database.pool());

      TestMigrations.of(2).apply(node.dataSource(), SchemaMode.CREATE);

      assertThat(node.statements())
          .singleElement()
          .asString()
          .startsWith("SELECT component, version");
    }
  }

  @Test
  void connectionsMayHaveAutomaticCommitOffAndAStricterIsolation() {
    try (TestDatabase database = TestDatabase.emptyPostgres()) {
      HikariConfig config = new HikariConfig();
      config.setJdbcUrl(database.url());
      config.setMaximumPoolSize(1);
      config.setAutoCommit(false);
      config.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
      try (HikariDataSource pool = new HikariDataSource(config)) {
        TestMigrations.of(1).apply(pool, SchemaMode.CREATE);
        TestMigrations.of(2).apply(pool, SchemaMode.CREATE);
        SqlStore.open(pool, MIGRATE).close();
      }
      assertThat(database.number("SELECT COUNT(note) FROM test_item")).isEqualTo(1);
    }
  }

  private static TestDatabase database(String kind) {
    return kind.equals("h2") ? TestDatabase.emptyH2() : TestDatabase.emptyPostgres();
  }
}
