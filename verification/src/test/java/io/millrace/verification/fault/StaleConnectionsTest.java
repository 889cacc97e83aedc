package io.millrace.verification.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.Due;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.Origin;
import io.millrace.store.NewInstance;
import io.millrace.store.Store;
import io.millrace.store.StoreException;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import io.millrace.verification.fault.PoolKind.OpenPool;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests of a pool that holds unusable connections after a failover. They leave the pool when the
 * engine meets them, whatever the pool.
 */
class StaleConnectionsTest {

  private static final int CONNECTIONS = 8;

  private static final String READ_ONLY = "SET default_transaction_read_only = on";

  private static final Duration TTL = Duration.ofSeconds(30);

  private final TestDatabase database = TestDatabase.postgres(2);
  private int saved;

  @AfterEach
  void close() {
    database.close();
  }

  /** Fills the pool and runs a statement on each of its connections. */
  private static void onEach(OpenPool pool, String sql) throws SQLException {
    List<Connection> all = new ArrayList<>();
    try {
      for (int i = 0; i < CONNECTIONS; i++) {
        Connection connection = pool.dataSource().getConnection();
        all.add(connection);
        try (Statement statement = connection.createStatement()) {
          statement.execute(sql);
        }
      }
    } finally {
      for (Connection connection : all) {
        connection.close();
      }
    }
  }

  private Runnable save(Store store) {
    return () -> store.definitions().save("type", ++saved, "hash", "{}");
  }

  /** Writes until a write succeeds, and returns how many failed; all later writes must succeed. */
  private static int failures(Runnable write) {
    int failures = 0;
    boolean failed = true;
    while (failed) {
      try {
        write.run();
        failed = false;
      } catch (StoreException e) {
        assertThat(e.rejected()).as(e.getMessage()).isFalse();
        assertThat(++failures).as("writes that failed, the last with %s", e).isLessThan(50);
      }
    }
    for (int i = 0; i < 3 * CONNECTIONS; i++) {
      write.run();
    }
    return failures;
  }

  @ParameterizedTest
  @EnumSource(PoolKind.class)
  void thoseThatCanOnlyRead(PoolKind kind) throws Exception {
    try (OpenPool pool = kind.open(database.url(), CONNECTIONS);
        Store store =
            SqlStore.open(
                pool.dataSource(), new SqlStore.Options(SchemaMode.CREATE, null, false))) {
      onEach(pool, READ_ONLY);
      assertThat(failures(save(store))).isLessThan(CONNECTIONS / 2);
    }
  }

  @ParameterizedTest
  @EnumSource(PoolKind.class)
  void thoseWhoseSessionHasEnded(PoolKind kind) throws Exception {
    try (OpenPool pool = kind.open(database.url(), CONNECTIONS);
        Store store =
            SqlStore.open(
                pool.dataSource(), new SqlStore.Options(SchemaMode.CREATE, null, false))) {
      onEach(pool, "SELECT 1");
      database.execute(
          "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity"
              + " WHERE pid <> pg_backend_pid() AND application_name = '"
              + database.url().replaceFirst(".*ApplicationName=([^&]*).*", "$1")
              + "'");
      assertThat(failures(save(store))).isLessThanOrEqualTo(CONNECTIONS);
    }
  }

  /** The heartbeat keeps its connection, so no pool can validate it. */
  @ParameterizedTest
  @EnumSource(PoolKind.class)
  void thoseThatAreKeptForOneUser(PoolKind kind) throws Exception {
    try (OpenPool pool = kind.open(database.url(), CONNECTIONS);
        Store store =
            SqlStore.open(
                pool.dataSource(), new SqlStore.Options(SchemaMode.CREATE, null, false))) {
      int definition = store.definitions().save("type", 1, "hash", "{}").id();
      long executor =
          store
              .executors()
              .register(
                  new ExecutorInfo.Identity("host", 1, "group", List.of(definition), "1.0"), TTL);
      Store.ReservedAccess reserved = store.reserve();
      onEach(pool, READ_ONLY);
      assertThat(failures(() -> reserved.executors().renew(executor, TTL, ExecutorInfo.Load.NONE)))
          .isLessThan(CONNECTIONS / 2);
      reserved.release().run();
    }
  }

  @ParameterizedTest
  @EnumSource(PoolKind.class)
  void whoAsksWhetherItCanBeWrittenIsToldAndMendsThePool(PoolKind kind) throws Exception {
    SqlStore.open(database.pool(), SqlStore.Options.DEFAULT).close();
    String readOnly = database.url() + "&options=-c%20default_transaction_read_only=on";
    try (OpenPool pool = kind.open(readOnly, CONNECTIONS);
        Store store =
            SqlStore.open(
                pool.dataSource(), new SqlStore.Options(SchemaMode.VALIDATE, null, false))) {
      assertThatThrownBy(store::checkWritable)
          .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.rejected()).isFalse())
          .hasMessageContaining("25006");
    }
    try (OpenPool pool = kind.open(database.url(), 2);
        Store store =
            SqlStore.open(
                pool.dataSource(), new SqlStore.Options(SchemaMode.VALIDATE, null, false))) {
      store.checkWritable();
    }
  }

  @Test
  void theApplicationsOwnTransactionIsLeftToIt() throws Exception {
    try (Store store =
            SqlStore.open(database.pool(), new SqlStore.Options(SchemaMode.CREATE, null, false));
        Connection own = database.pool().getConnection();
        Statement statement = own.createStatement()) {
      int definition = store.definitions().save("type", 1, "hash", "{}").id();
      own.setAutoCommit(false);
      statement.execute("SET TRANSACTION READ ONLY");
      Origin origin = new Origin("type", 1, "group", 4, null, null, null);
      NewInstance start =
          new NewInstance(origin, definition, "begin", null, Map.of(), Due.NOW, null);
      assertThatThrownBy(() -> store.instances().start(own, start))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("25006");
      own.rollback();
      assertThat(store.instances().start(own, start).id()).isPositive();
      own.commit();
    }
  }
}
