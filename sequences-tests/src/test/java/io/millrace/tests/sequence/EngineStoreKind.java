package io.millrace.tests.sequence;

import io.millrace.fixtures.TestDatabase;
import io.millrace.store.Store;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import io.millrace.testing.MemoryStore;
import java.time.InstantSource;

/** The kinds of stores, for engines under a test's control. */
enum EngineStoreKind {
  MEMORY {
    @Override
    OpenedStore open(InstantSource clock) {
      return new OpenedStore(new MemoryStore(clock), null);
    }
  },
  H2 {
    @Override
    OpenedStore open(InstantSource clock) {
      return sql(TestDatabase.h2(), clock);
    }
  },
  POSTGRES {
    @Override
    OpenedStore open(InstantSource clock) {
      return sql(TestDatabase.postgres(), clock);
    }
  };

  /** Returns an empty store whose time is that of {@code clock}. */
  abstract OpenedStore open(InstantSource clock);

  private static OpenedStore sql(TestDatabase database, InstantSource clock) {
    SqlStore.Options options = new SqlStore.Options(SchemaMode.CREATE, clock, false);
    return new OpenedStore(SqlStore.open(database.pool(), options), database);
  }

  /**
   * An open store.
   *
   * @param database null for the store in memory
   */
  record OpenedStore(Store store, TestDatabase database) implements AutoCloseable {
    @Override
    public void close() {
      store.close();
      if (database != null) {
        database.close();
      }
    }
  }
}
