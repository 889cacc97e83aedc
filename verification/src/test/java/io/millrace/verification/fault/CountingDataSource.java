package io.millrace.verification.fault;

import io.millrace.fixtures.Proxies;
import io.millrace.fixtures.TestDatabase;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/** A data source that records the statements of its connections, and may end a session. */
final class CountingDataSource {

  /** A source of connections. */
  @FunctionalInterface
  private interface Source {
    Connection get() throws SQLException;
  }

  private final List<String> statements = new CopyOnWriteArrayList<>();
  private final Source source;
  private final int limit;

  private CountingDataSource(Source source, int limit) {
    this.source = source;
    this.limit = limit;
  }

  static CountingDataSource of(DataSource pool) {
    return new CountingDataSource(pool::getConnection, Integer.MAX_VALUE);
  }

  /** Returns a data source that ends the session of a statement, once {@code limit} came before. */
  static CountingDataSource dyingAt(TestDatabase database, int limit) {
    return new CountingDataSource(() -> DriverManager.getConnection(database.url()), limit);
  }

  List<String> statements() {
    return List.copyOf(statements);
  }

  long count(String pattern) {
    Pattern wanted = Pattern.compile(pattern, Pattern.DOTALL);
    return statements.stream().filter(sql -> wanted.matcher(sql).lookingAt()).count();
  }

  DataSource dataSource() {
    return Proxies.proxy(
        DataSource.class,
        (method, args) -> {
          if (method.getName().equals("getConnection")) {
            return connection(source.get());
          }
          throw new UnsupportedOperationException(method.getName());
        });
  }

  private Connection connection(Connection target) {
    return Proxies.proxy(
        Connection.class,
        (method, args) -> {
          if (method.getName().equals("prepareStatement")) {
            String sql = (String) args[0];
            PreparedStatement prepared = (PreparedStatement) Proxies.invoke(target, method, args);
            return Proxies.proxy(
                PreparedStatement.class,
                (call, values) -> {
                  if (call.getName().startsWith("execute")) {
                    record(target, sql);
                  }
                  return Proxies.invoke(prepared, call, values);
                });
          }
          Object result = Proxies.invoke(target, method, args);
          return method.getName().equals("createStatement")
              ? statement(target, (Statement) result)
              : result;
        });
  }

  private Statement statement(Connection connection, Statement target) {
    return Proxies.proxy(
        Statement.class,
        (Method method, Object[] args) -> {
          if (method.getName().startsWith("execute")) {
            record(connection, (String) args[0]);
          }
          return Proxies.invoke(target, method, args);
        });
  }

  private void record(Connection connection, String sql) throws SQLException {
    if (statements.size() >= limit) {
      connection.close();
      throw new SQLException("The process ended", "08006");
    }
    statements.add(sql);
  }
}
