package io.millrace.store.sql;

import java.lang.reflect.Method;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pool of Agroal, which by default keeps connections that are closed. The library is optional, so
 * it is called by reflection.
 */
final class AgroalPool {

  private static final Logger LOG = LoggerFactory.getLogger(AgroalPool.class);
  private static final String NAME = "io.agroal.api.AgroalDataSource";

  private AgroalPool() {}

  /** Makes the pool replace its connections, those in use when they are returned. */
  static void flush(DataSource pool) {
    try {
      Class<?> type = Class.forName(NAME, false, pool.getClass().getClassLoader());
      if (type.isInstance(pool)) {
        Class<?> mode = Class.forName(NAME + "$FlushMode", true, type.getClassLoader());
        Method flush = type.getMethod("flush", mode);
        flush.invoke(pool, mode.getField("GRACEFUL").get(null));
      }
    } catch (ClassNotFoundException e) {
      // The pool is not from Agroal.
    } catch (ReflectiveOperationException | LinkageError e) {
      LOG.warn("The pool was not told that connections are of no use any more", e);
    }
  }
}
