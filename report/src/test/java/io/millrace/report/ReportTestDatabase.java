package io.millrace.report;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** An empty database for one test. Each connection is new. */
public final class ReportTestDatabase implements AutoCloseable {

  /** Kind of database. */
  public enum Kind {
    H2,
    POSTGRESQL
  }

  private final DataSource source;
  private final String schema;
  private final String lastStatement;

  private ReportTestDatabase(DataSource source, String schema, String lastStatement) {
    this.source = source;
    this.schema = schema;
    this.lastStatement = lastStatement;
  }

  public static ReportTestDatabase open(Kind kind) {
    return kind == Kind.H2 ? h2() : postgres();
  }

  private static ReportTestDatabase h2() {
    JdbcDataSource source = new JdbcDataSource();
    source.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    return new ReportTestDatabase(source, "public", "shutdown");
  }

  private static ReportTestDatabase postgres() {
    String schema = "test_" + UUID.randomUUID().toString().replace("-", "");
    PGSimpleDataSource source = server();
    source.setCurrentSchema(schema);
    ReportTestDatabase database =
        new ReportTestDatabase(source, schema, "drop schema " + schema + " cascade");
    database.execute("create schema " + schema);
    return database;
  }

  /** Returns the PostgreSQL server of the tests, without a schema of its own. */
  public static PGSimpleDataSource server() {
    String url = System.getenv("MILLRACE_TEST_POSTGRES_URL");
    if (url == null || url.isBlank()) {
      throw new IllegalStateException(
          "MILLRACE_TEST_POSTGRES_URL is not set; run the tests through script/test, which starts"
              + " a PostgreSQL server");
    }
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(url);
    return source;
  }

  public DataSource source() {
    return source;
  }

  public String schema() {
    return schema;
  }

  public void execute(String sql) {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException("'" + sql + "' failed", e);
    }
  }

  /** Returns the number in the first column of the first row. */
  public long number(String sql) {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException("'" + sql + "' failed", e);
    }
  }

  @Override
  public void close() {
    execute(lastStatement);
  }
}
