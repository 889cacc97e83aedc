package io.millrace.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.fixtures.TestDatabase;
import io.millrace.store.StoreException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests the lock of migrations on PostgreSQL, with a patience that only its package can set. */
class SchemaLockTest {

  private static final Migrations TABLES = Schema.with(FeatureTables.ALL);

  @Test
  void theWaitForAnotherProcessIsBoundedAndNamesIt() throws SQLException {
    try (TestDatabase database = TestDatabase.emptyPostgres();
        Connection other = DriverManager.getConnection(database.url());
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("SET application_name = 'other-node'");
      statement.execute(
          "SELECT pg_advisory_xact_lock("
              + "HASHTEXT('millrace_schema'), HASHTEXT(CURRENT_SCHEMA()))");

      Jdbc jdbc = new Jdbc(database.pool(), Dialects.named("postgresql"), null);
      SchemaWait wait = new SchemaWait(Duration.ofMillis(50), Duration.ofMillis(100));
      assertThatThrownBy(() -> TABLES.apply(jdbc, SchemaMode.CREATE, wait))
          .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.rejected()).isFalse())
          .hasMessageContaining("held by process ")
          .hasMessageContaining("(application 'other-node')")
          .hasMessageContaining("pg_terminate_backend");

      other.rollback();
      TABLES.apply(jdbc, SchemaMode.CREATE, wait);
    }
  }
}
