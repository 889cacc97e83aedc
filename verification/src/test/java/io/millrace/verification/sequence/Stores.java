package io.millrace.verification.sequence;

import io.millrace.store.Store;
import io.millrace.store.sql.SqlStore;
import io.millrace.testing.MemoryStore;
import io.millrace.verification.support.TestDatabase;
import java.time.InstantSource;

/** A store of each kind, for engines under a test's control. */
enum Stores {
  MEMORY {
    @Override
    Open open(InstantSource clock) {
      return new Open(new MemoryStore(clock), null);
    }
  },
  H2 {
    @Override
    Open open(InstantSource clock) {
      return sql(TestDatabase.h2(), clock);
    }
  },
  POSTGRES {
    @Override
    Open open(InstantSource clock) {
      return sql(TestDatabase.postgres(), clock);
    }
  };

  /** An empty store whose time is that of {@code clock}. */
  abstract Open open(InstantSource clock);

  private static Open sql(TestDatabase database, InstantSource clock) {
    SqlStore.Options options = new SqlStore.Options(true, clock, false);
    return new Open(SqlStore.open(database.pool(), options), database);
  }

  /**
   * A store in use.
   *
   * @param database null for the one in memory
   */
  record Open(Store store, TestDatabase database) implements AutoCloseable {
    @Override
    public void close() {
      store.close();
      if (database != null) {
        database.close();
      }
    }
  }
}
