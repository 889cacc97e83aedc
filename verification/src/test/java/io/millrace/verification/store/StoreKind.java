package io.millrace.verification.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.store.Store;
import io.millrace.store.sql.SqlStore;
import io.millrace.testing.MemoryStore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.UUID;

/** The stores that must keep the contract. */
enum StoreKind {
  MEMORY {
    @Override
    OpenStore open(InstantSource clock) {
      return new OpenStore(new MemoryStore(clock), null, () -> {});
    }
  },
  H2 {
    @Override
    OpenStore open(InstantSource clock) {
      return sql("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", clock, "SHUTDOWN");
    }
  },
  POSTGRES {
    @Override
    OpenStore open(InstantSource clock) {
      String url = postgresUrl();
      String schema = "contract_" + UUID.randomUUID().toString().replace("-", "");
      execute(url, "CREATE SCHEMA " + schema);
      String inSchema = url + (url.contains("?") ? "&" : "?") + "currentSchema=" + schema;
      return sql(inSchema, clock, "DROP SCHEMA " + schema + " CASCADE");
    }
  };

  static final String POSTGRES_URL = "MILLRACE_TEST_POSTGRES_URL";

  private static final int CONNECTIONS = 12;

  /** An empty store whose time is that of {@code clock}. */
  abstract OpenStore open(InstantSource clock);

  /**
   * A store in use.
   *
   * @param dataSource null for the memory store
   */
  record OpenStore(Store store, HikariDataSource dataSource, Runnable end)
      implements AutoCloseable {
    @Override
    public void close() {
      store.close();
      end.run();
    }
  }

  static OpenStore sql(String url, InstantSource clock, String lastStatement) {
    HikariDataSource dataSource = pool(url);
    Store store = SqlStore.open(dataSource, new SqlStore.Options(true, clock, false));
    return new OpenStore(
        store,
        dataSource,
        () -> {
          dataSource.close();
          execute(url, lastStatement);
        });
  }

  static HikariDataSource pool(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(CONNECTIONS);
    // The pool serves no queue in order: on a busy machine one thread of many can wait for long.
    config.setConnectionTimeout(RaceRunner.LIMIT.toMillis());
    return new HikariDataSource(config);
  }

  private static String postgresUrl() {
    String url = System.getenv(POSTGRES_URL);
    if (url == null || url.isBlank()) {
      throw new IllegalStateException(
          "The environment variable "
              + POSTGRES_URL
              + " is missing, and these tests need a PostgreSQL server. Run"
              + " script/test, which starts one; or set the variable to the JDBC URL of an empty database.");
    }
    return url;
  }

  private static void execute(String url, String sql) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException("'" + sql + "' failed at " + url, e);
    }
  }
}
