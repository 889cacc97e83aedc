package io.millrace.verification.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.Patience;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.store.StoreException;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests what an engine does whose role in PostgreSQL may not create tables, and that each error
 * names the way out.
 */
class SchemaRightsTest {

  private final String role = "data_" + UUID.randomUUID().toString().replace("-", "");
  private final TestDatabase database = TestDatabase.emptyPostgres();
  private final String schema = database.url().replaceFirst(".*currentSchema=([^&]*).*", "$1");
  private HikariDataSource pool;

  @BeforeEach
  void makeRole() {
    database.execute("CREATE ROLE " + role + " LOGIN");
    database.execute("GRANT USAGE ON SCHEMA " + schema + " TO " + role);
    pool = pool("");
  }

  @AfterEach
  void close() {
    pool.close();
    database.execute("DROP OWNED BY " + role + " CASCADE");
    database.execute("DROP ROLE " + role);
    database.close();
  }

  private HikariDataSource pool(String more) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.url().replaceFirst("user=[^&]*", "user=" + role) + more);
    config.setMaximumPoolSize(6);
    config.setMinimumIdle(0);
    return new HikariDataSource(config);
  }

  private void grantData() {
    database.execute(
        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA " + schema + " TO " + role);
    database.execute("GRANT USAGE ON ALL SEQUENCES IN SCHEMA " + schema + " TO " + role);
  }

  @Test
  void rightsOnDataAreEnoughForTablesOfThePrintedSchema() {
    database.execute(SqlStore.printSchema("postgresql"));
    grantData();
    WorkflowDefinition quick =
        WorkflowDefinition.of("quick").start("go", ctx -> Next.done("went")).build();

    try (Engine engine = Engine.builder().dataSource(pool).workflows(quick).start()) {
      long id = engine.client().start(StartRequest.of("quick")).id();
      engine.client().await(id, Patience.LIMIT);
      assertThat(engine.client().get(id).position().status()).isEqualTo(InstanceStatus.FINISHED);
    }
    try (Engine engine =
        Engine.builder().dataSource(pool).schema(SchemaMode.VALIDATE).workflows(quick).start()) {
      assertThat(engine.client().start(StartRequest.of("quick")).id()).isPositive();
    }
  }

  @Test
  void theRightThatMissingTablesNeedIsNamedWithBothWaysOut() {
    assertThatThrownBy(() -> SqlStore.open(pool, SqlStore.Options.DEFAULT))
        .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.rejected()).isTrue())
        .hasMessageContaining("User '" + role + "' lacks the right CREATE on schema '" + schema)
        .hasMessageContaining("GRANT CREATE ON SCHEMA " + schema + " TO " + role)
        .hasMessageContaining("let an administrator apply")
        .hasMessageContaining("millrace schema print --db postgresql")
        .hasMessageContaining("SqlStore.printSchema(\"postgresql\")");

    database.execute("GRANT CREATE ON SCHEMA " + schema + " TO " + role);
    SqlStore.open(pool, SqlStore.Options.DEFAULT).close();
  }

  @Test
  void aTableThatMayNotBeReadIsNamed() {
    database.execute(SqlStore.printSchema("postgresql"));
    for (SchemaMode mode : List.of(SchemaMode.CREATE, SchemaMode.VALIDATE)) {
      assertThatThrownBy(() -> SqlStore.open(pool, SqlStore.Options.DEFAULT.schema(mode)))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("permission denied for ")
          .hasMessageContaining("Grant SELECT, INSERT, UPDATE and DELETE on all tables");
    }
  }

  @Test
  void tablesOfAnotherOwnerCannotBeUpdated() {
    TestMigrations.of(1).apply(database.pool(), SchemaMode.CREATE);
    database.execute("GRANT CREATE ON SCHEMA " + schema + " TO " + role);
    grantData();

    assertThatThrownBy(() -> TestMigrations.of(2).apply(pool, SchemaMode.CREATE))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("V2__more_columns.sql, line 1: ERROR: must be owner")
        .hasMessageContaining("to update tables, the user must own them")
        .hasMessageContaining("millrace schema print");
  }

  @Test
  void aSchemaThatDoesNotExistIsNamed() {
    try (HikariDataSource lost = pool("&currentSchema=no_such_schema")) {
      assertThatThrownBy(() -> SqlStore.open(lost, SqlStore.Options.DEFAULT))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("There is no schema for the tables of Millrace")
          .hasMessageContaining("search_path (no_such_schema)")
          .hasMessageContaining("CREATE SCHEMA")
          .hasMessageContaining("currentSchema");
    }
  }

  @Test
  void aReadOnlyDatabaseWithCurrentTablesIsOpened() {
    database.execute(SqlStore.printSchema("postgresql"));
    grantData();
    database.execute("ALTER ROLE " + role + " SET default_transaction_read_only = on");

    SqlStore.open(pool, SqlStore.Options.DEFAULT).close();
  }

  @Test
  void aReadOnlyDatabaseWithoutTablesIsNamed() {
    database.execute("GRANT CREATE ON SCHEMA " + schema + " TO " + role);
    database.execute("ALTER ROLE " + role + " SET default_transaction_read_only = on");

    assertThatThrownBy(() -> SqlStore.open(pool, SqlStore.Options.DEFAULT))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("The tables of Millrace are missing or not up to date")
        .hasMessageContaining("read-only")
        .hasMessageContaining("Use the address of the primary")
        .hasMessageContaining("millrace schema print --db postgresql");
  }

  @Test
  void aReadOnlyPoolIsNamed() {
    database.execute("GRANT CREATE ON SCHEMA " + schema + " TO " + role);
    try (HikariDataSource readOnly = new HikariDataSource()) {
      readOnly.setJdbcUrl(pool.getJdbcUrl());
      readOnly.setReadOnly(true);
      assertThatThrownBy(() -> SqlStore.open(readOnly, SqlStore.Options.DEFAULT))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("connections that may write");
    }
  }

  @Test
  void withoutALookAtTheTablesNothingIsAsked() {
    SqlStore.open(pool, SqlStore.Options.DEFAULT.schema(SchemaMode.NONE)).close();
  }
}
