package io.millrace.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.StartRequest;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import io.millrace.testing.ManualEngine;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The programs of {@code docs/recipes/start-in-your-transaction.md}. */
class TransactionRecipeTest {

  private static final WorkflowDefinition ORDER =
      WorkflowDefinition.of("order").start("pack", ctx -> Next.done("packed")).build();

  private final JdbcConnectionPool pool =
      JdbcConnectionPool.create("jdbc:h2:mem:shop-orders;DB_CLOSE_DELAY=-1", "", "");
  private ManualEngine engine;

  @BeforeEach
  void start() throws SQLException {
    execute("CREATE TABLE customer_order (number VARCHAR(20) PRIMARY KEY)");
    engine =
        ManualEngine.with(
            ManualEngine.defaultSettings(),
            clock -> SqlStore.open(pool, new SqlStore.Options(SchemaMode.CREATE, clock, false)),
            ORDER);
  }

  @AfterEach
  void close() throws SQLException {
    engine.close();
    execute("DROP ALL OBJECTS");
    pool.dispose();
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  // docs:place
  long place(String number) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      insertOrder(connection, number);
      StartRequest request = StartRequest.of("order", number).externalId(number);
      long id = engine.client().start(connection, request).id();
      check(number);
      connection.commit();
      engine.engine().poll();
      return id;
    }
  }

  // docs:end

  private static void insertOrder(Connection connection, String number) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO customer_order VALUES (?)")) {
      insert.setString(1, number);
      insert.executeUpdate();
    }
  }

  private static void check(String number) {
    if (number.startsWith("X")) {
      throw new IllegalArgumentException("the customer is blocked");
    }
  }

  private List<String> orders() throws SQLException {
    List<String> numbers = new ArrayList<>();
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT number FROM customer_order")) {
      while (rows.next()) {
        numbers.add(rows.getString(1));
      }
    }
    return numbers;
  }

  @Test
  void theRowAndTheInstanceAreCommittedTogether() throws SQLException {
    long id = place("A-18");
    engine.runUntilIdle();
    assertThat(orders()).containsExactly("A-18");
    assertThat(engine.client().get(id).position().reason()).isEqualTo("packed");
  }

  @Test
  void afterARollbackThereIsNeither() throws SQLException {
    assertThatThrownBy(() -> place("X-1")).hasMessage("the customer is blocked");
    engine.runUntilIdle();
    assertThat(orders()).isEmpty();
    assertThat(engine.client().search(InstanceQuery.all()).items()).isEmpty();
  }
}
