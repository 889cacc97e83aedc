package io.millrace.testing;

import io.millrace.store.ContinuousStore;
import io.millrace.store.PeriodLedgerStore;

/**
 * The tables of continuous workflows, their triggers and their logs. They need those of {@link
 * MemoryData} before them, since a trigger claims periods.
 */
public final class MemoryContinuous extends MemoryPart {

  private MemoryContinuous() {}

  public static MemoryPart tables() {
    return new MemoryContinuous();
  }

  @Override
  void install(MemoryTables tables, MemoryAuditStore audit, MemoryOperatorStore operators) {
    MemoryContinuousTables triggers = new MemoryContinuousTables();
    MemoryHooks hooks = tables.hooks;
    if (!(hooks.find(PeriodLedgerStore.class) instanceof MemoryPeriodLedgerStore ledger)) {
      throw new IllegalArgumentException(
          "The tables of continuous workflows need those of MemoryData, which are not before them."
              + " Give MemoryData.tables() before MemoryContinuous.tables().");
    }
    hooks.role(ContinuousStore.class, new MemoryContinuousStore(tables, triggers, audit, ledger));
    hooks.executorDied((id, executor, now) ->
        triggers.lose(id, executor + " died while it owned this workflow.", now));
    hooks.executorStopped(triggers::handOver);
    hooks.owns(triggers::owners, id -> triggers.ownedBy(id).findAny().isPresent());
  }
}
