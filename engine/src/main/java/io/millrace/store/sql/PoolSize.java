package io.millrace.store.sql;

import java.util.List;
import java.util.OptionalInt;
import javax.sql.DataSource;

/** The maximum number of connections of a pool, as common pools report it. */
final class PoolSize {

  /** Names of the getters of HikariCP, DBCP, Tomcat and c3p0. */
  private static final List<String> GETTERS =
      List.of("getMaximumPoolSize", "getMaxTotal", "getMaxActive", "getMaxPoolSize");

  private PoolSize() {}

  /** Returns the size; empty for a data source that does not report it. */
  static OptionalInt of(DataSource pool) {
    for (String getter : GETTERS) {
      try {
        if (pool.getClass().getMethod(getter).invoke(pool) instanceof Integer size && size > 0) {
          return OptionalInt.of(size);
        }
      } catch (ReflectiveOperationException e) {
        // The pool is of another kind.
      }
    }
    return OptionalInt.empty();
  }
}
