package io.millrace.tests.continuous;

import io.millrace.fixtures.Proxies;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.PreparedStatement;
import javax.sql.DataSource;

/** A data source that calls {@code reached} directly after a statement or after its commit. */
final class KillPointDataSource {

  private final FireKillPoint fireKillPoint;
  private final Runnable reached;

  private KillPointDataSource(FireKillPoint fireKillPoint, Runnable reached) {
    this.fireKillPoint = fireKillPoint;
    this.reached = reached;
  }

  static DataSource of(DataSource target, FireKillPoint fireKillPoint, Runnable reached) {
    KillPointDataSource source = new KillPointDataSource(fireKillPoint, reached);
    return Proxies.proxy(
        DataSource.class,
        (method, args) ->
            method.getName().equals("getConnection")
                ? source.new Line(target.getConnection()).proxy()
                : Proxies.invoke(target, method, args));
  }

  private final class Line {
    private final Connection real;
    private boolean open;

    Line(Connection real) {
      this.real = real;
    }

    Connection proxy() {
      return Proxies.proxy(Connection.class, this::call);
    }

    private Object call(Method method, Object[] args) throws Throwable {
      Object result = Proxies.invoke(real, method, args);
      if (method.getName().equals("commit") && open) {
        reached.run();
      }
      return result instanceof PreparedStatement statement
              && ((String) args[0]).contains(fireKillPoint.sql)
          ? Proxies.proxy(PreparedStatement.class, (m, a) -> onStatement(statement, m, a))
          : result;
    }

    private Object onStatement(PreparedStatement statement, Method method, Object[] args)
        throws Throwable {
      Object result = Proxies.invoke(statement, method, args);
      if (method.getName().startsWith("execute")) {
        open = true;
        if (!fireKillPoint.committed || real.getAutoCommit()) {
          reached.run();
        }
      }
      return result;
    }
  }
}
