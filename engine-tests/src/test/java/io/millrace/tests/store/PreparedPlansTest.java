package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.TestDatabase;
import io.millrace.fixtures.store.StartSpec;
import io.millrace.instance.InstanceQuery;
import io.millrace.store.ClaimRequest;
import io.millrace.store.Store;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests that PostgreSQL keeps the plan of a start, which reads no table, and plans statements that
 * read tables for their current rows.
 */
class PreparedPlansTest {

  /**
   * Number of executions, more than the five after which the driver keeps a statement's plan by
   * default.
   */
  private static final int OFTEN = 10;

  private static final String KEPT =
      "SELECT statement FROM pg_prepared_statements WHERE statement LIKE '%millrace_instance%'";

  @Test
  void onlyStartsKeepTheirPlans() throws SQLException {
    SqlStore.Options options = new SqlStore.Options(SchemaMode.CREATE, null, false);
    try (TestDatabase database = TestDatabase.postgres(2);
        Store store = SqlStore.open(database.pool(), options)) {
      for (int i = 0; i < OFTEN; i++) {
        StartSpec plain = new StartSpec("type", "group", 1);
        store.instances().start(List.of(plain.build()));
        store.instances().start(List.of(plain.externalId("X-" + i).build()));
        store.instances().claim(new ClaimRequest(1, "group", List.of(1), 1));
        store.queries().search(InstanceQuery.all(), null);
      }

      assertThat(kept(database))
          .hasSize(2)
          .allMatch(sql -> sql.contains("INSERT INTO millrace_instance ("));
    }
  }

  private static List<String> kept(TestDatabase database) throws SQLException {
    List<String> statements = new ArrayList<>();
    try (Connection connection = database.pool().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(KEPT)) {
      while (rows.next()) {
        statements.add(rows.getString(1));
      }
    }
    return statements;
  }
}
