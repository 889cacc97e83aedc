package io.millrace.store.sql;

import io.millrace.store.KeyValueStore;
import io.millrace.store.PeriodLedgerStore;
import io.millrace.store.ReduceStore;
import java.util.List;

/** The tables of key-values, the period ledger and reduced records. */
final class DataTables {

  static final SqlExtension TABLES =
      new SqlExtension("data", "V1__data.sql", List.of(), DataTables::register);

  private DataTables() {}

  private static void register(SqlHooks.Builder hooks) {
    hooks
        .role(KeyValueStore.class, SqlKeyValueStore::new)
        .role(PeriodLedgerStore.class, SqlPeriodLedgerStore::new)
        .role(ReduceStore.class, SqlReduceStore::new)
        .attached(KeyValueStore.Put.class, SqlKeyValueStore::writeAttached)
        .attached(ReduceStore.Commit.class, SqlReduceStore::writeAttached);
  }
}
