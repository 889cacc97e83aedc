package io.millrace.tests.store;

import com.zaxxer.hikari.HikariDataSource;
import io.millrace.fixtures.TestDatabase;
import io.millrace.store.Store;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import io.millrace.testing.MemoryStore;
import java.time.InstantSource;

/** The kinds of stores that must fulfill the contract. */
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
      return sql(TestDatabase.h2(), clock);
    }
  },
  POSTGRES {
    @Override
    OpenStore open(InstantSource clock) {
      return sql(TestDatabase.postgres(), clock);
    }
  };

  /** Returns an empty store whose time is that of {@code clock}. */
  abstract OpenStore open(InstantSource clock);

  /**
   * An open store.
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

  private static OpenStore sql(TestDatabase database, InstantSource clock) {
    HikariDataSource pool = database.pool();
    // The pool does not serve threads in order: on a busy machine one of many threads can wait
    // long.
    pool.setConnectionTimeout(RaceRunner.LIMIT.toMillis());
    return new OpenStore(
        SqlStore.open(pool, new SqlStore.Options(SchemaMode.CREATE, clock, false)),
        pool,
        database::close);
  }
}
