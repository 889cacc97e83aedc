package io.millrace.extension;

import io.millrace.data.PeriodEntry;
import io.millrace.data.PeriodState;
import io.millrace.lifecycle.EngineSettings.Retention;
import io.millrace.store.KeyValueStore;
import io.millrace.store.PeriodLedgerStore;
import io.millrace.store.ReduceStore;
import io.millrace.store.RetentionSweep;
import io.millrace.store.Store;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The feature of key-values, the period ledger, reduced records and checkpoints. */
public final class Data implements EngineExtension {

  private static final Logger LOG = LoggerFactory.getLogger(Data.class);

  /** Number of periods that are closed at a time. */
  private static final int PERIODS = 200;

  /** Number of reduced records that are deleted at a time; they are small. */
  private static final int RECORDS = 1_000;

  private Data() {}

  public static Data create() {
    return new Data();
  }

  @Override
  public String name() {
    return "data";
  }

  @Override
  public EngineExtension plus(EngineExtension same) {
    return this;
  }

  @Override
  public EnginePart part(EngineServices engine) {
    Store store = engine.store();
    PeriodLedgerStore ledger = store.role(PeriodLedgerStore.class);
    List<RetentionSweep> sweeps = sweeps(store, engine.settings().retention());
    return new EnginePart() {
      @Override
      public List<RetentionSweep> sweeps() {
        return sweeps;
      }

      @Override
      public List<Runnable> afterRecovery() {
        return List.of(() -> closePeriods(ledger));
      }
    };
  }

  private static List<RetentionSweep> sweeps(Store store, Retention policy) {
    return Stream.concat(
            RetentionSweep.aged(
                "deletion of periods of the ledger",
                policy.deleteRecordsAfter(),
                store.role(PeriodLedgerStore.class)::deleteEnded),
            Stream.of(
                RetentionSweep.of(
                    "deletion of expired keys",
                    RetentionSweep.BATCH,
                    store.role(KeyValueStore.class)::deleteExpired),
                RetentionSweep.of(
                    "deletion of obsolete reduce records",
                    RECORDS,
                    store.role(ReduceStore.class)::deleteObsolete)))
        .toList();
  }

  /** Closes periods whose executions have ended. */
  private static void closePeriods(PeriodLedgerStore ledger) {
    for (PeriodEntry entry : ledger.closeEnded(PERIODS)) {
      if (entry.state() == PeriodState.FAILED) {
        LOG.warn("Period {} has failed: {}", entry.id(), entry.reason());
      }
    }
  }
}
