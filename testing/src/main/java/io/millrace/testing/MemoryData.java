package io.millrace.testing;

import io.millrace.store.KeyValueStore;
import io.millrace.store.PeriodLedgerStore;
import io.millrace.store.ReduceStore;

/** The tables of key-values, the period ledger and reduced records. */
public final class MemoryData extends MemoryPart {

  private MemoryData() {}

  public static MemoryPart tables() {
    return new MemoryData();
  }

  @Override
  void install(MemoryTables tables, MemoryAuditStore audit, MemoryOperatorStore operators) {
    MemoryKeyValueStore keyValues = new MemoryKeyValueStore(tables);
    MemoryReduceStore reductions = new MemoryReduceStore(tables);
    MemoryHooks hooks = tables.hooks;
    hooks.role(KeyValueStore.class, keyValues);
    hooks.role(PeriodLedgerStore.class, new MemoryPeriodLedgerStore(tables));
    hooks.role(ReduceStore.class, reductions);
    hooks.attached(KeyValueStore.Put.class, (row, put, now) -> keyValues.write(put, now));
    hooks.attached(ReduceStore.Commit.class, (row, commit, now) -> reductions.write(commit, now));
  }
}
