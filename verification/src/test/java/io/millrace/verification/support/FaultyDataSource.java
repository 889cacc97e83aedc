package io.millrace.verification.support;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import javax.sql.DataSource;

/**
 * A data source on whose connections one executed statement or commit fails where a test says so.
 * Statements and commits are counted as points, in their order. Not thread-safe.
 */
public final class FaultyDataSource {

  /** The moment of a fault, before or after the point is executed. */
  public enum Moment {
    BEFORE,
    AFTER
  }

  /**
   * A fault at a point.
   *
   * @param breaks true if the connection breaks as well: the database rolls back its open
   *     transaction, and no call on it succeeds any more, not even a rollback
   */
  public record Fault(int point, Moment moment, boolean breaks) {}

  private static final String CONNECTION_FAILURE = "08006";
  private static final String CONFLICT = "40001";

  private final DataSource target;
  private final List<String> unclean = new ArrayList<>();
  private Fault fault;
  private boolean hasFailed;
  private int conflictPoint;
  private int conflicts;
  private int points;
  private int open;

  public FaultyDataSource(DataSource target) {
    this.target = target;
  }

  /** Counts from zero again, and fails at {@code next}; null to fail nowhere. */
  public void arm(Fault next) {
    fault = next;
    conflicts = 0;
    hasFailed = false;
    points = 0;
  }

  /**
   * Counts from zero again, and undoes the transaction at {@code point} the given number of times;
   * points of undone transactions do not count.
   */
  public void armConflicts(int point, int times) {
    arm(null);
    conflictPoint = point;
    conflicts = times;
  }

  /** Returns the number of statements and commits since the last {@link #arm}. */
  public int points() {
    return points;
  }

  /** True if the fault has happened. */
  public boolean hasFailed() {
    return hasFailed;
  }

  /** Returns the number of connections that were handed out and not closed. */
  public int open() {
    return open;
  }

  /** Returns the connections that came back with changed settings. */
  public List<String> unclean() {
    return unclean;
  }

  /** Returns this as a data source. */
  public DataSource dataSource() {
    return Proxies.proxy(
        DataSource.class,
        (method, args) ->
            method.getName().equals("getConnection")
                ? connect()
                : Proxies.invoke(target, method, args));
  }

  private Connection connect() throws SQLException {
    Connection real = target.getConnection();
    open++;
    Line line = new Line(real, Settings.of(real));
    return Proxies.proxy(Connection.class, line::call);
  }

  /** The settings that a connection must have when it comes back. */
  private record Settings(boolean automatic, int networkTimeout) {
    static Settings of(Connection connection) throws SQLException {
      return new Settings(connection.getAutoCommit(), connection.getNetworkTimeout());
    }
  }

  /** A connection between its user and the database. */
  private final class Line {
    private final Connection real;
    private final Settings settings;
    private final int begin = points;
    private boolean broken;
    private boolean closed;

    Line(Connection real, Settings settings) {
      this.real = real;
      this.settings = settings;
    }

    Object call(Method method, Object[] args) throws Throwable {
      return switch (method.getName()) {
        case "close" -> close();
        case "isValid" -> !broken && real.isValid(1);
        case "commit" -> {
          refuseIfBroken();
          yield point(() -> invoked(real, method, args));
        }
        default -> {
          refuseIfBroken();
          Object result = Proxies.invoke(real, method, args);
          yield result instanceof PreparedStatement statement
              ? Proxies.proxy(PreparedStatement.class, (m, a) -> onStatement(statement, m, a))
              : result;
        }
      };
    }

    private Object onStatement(PreparedStatement statement, Method method, Object[] args)
        throws Throwable {
      if (method.getName().equals("close")) {
        statement.close();
        return null;
      }
      refuseIfBroken();
      return method.getName().startsWith("execute")
          ? point(() -> invoked(statement, method, args))
          : Proxies.invoke(statement, method, args);
    }

    private Object point(Callable<Object> action) throws Exception {
      int at = points++;
      if (conflicts > 0 && at == conflictPoint) {
        conflicts--;
        points = begin;
        rollBack();
        throw new SQLException("planned: another transaction was faster", CONFLICT);
      }
      strike(at, Moment.BEFORE);
      Object result = action.call();
      strike(at, Moment.AFTER);
      return result;
    }

    private void strike(int at, Moment moment) throws SQLException {
      if (fault == null || fault.point != at || fault.moment != moment) {
        return;
      }
      hasFailed = true;
      if (fault.breaks) {
        broken = true;
        rollBack();
      }
      throw new SQLException("planned: the connection failed", CONNECTION_FAILURE);
    }

    private void rollBack() throws SQLException {
      if (!real.getAutoCommit()) {
        real.rollback();
      }
    }

    private void refuseIfBroken() throws SQLException {
      if (broken) {
        throw new SQLException("planned: the connection is gone", CONNECTION_FAILURE);
      }
    }

    private Void close() throws SQLException {
      if (closed) {
        return null;
      }
      closed = true;
      open--;
      if (!broken && !real.isClosed() && !Settings.of(real).equals(settings)) {
        unclean.add(settings + " became " + Settings.of(real));
      }
      if (broken) {
        real.setAutoCommit(settings.automatic);
      }
      real.close();
      return null;
    }
  }

  private static Object invoked(Object target, Method method, Object[] args) throws Exception {
    try {
      return method.invoke(target, args);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw e;
    }
  }
}
