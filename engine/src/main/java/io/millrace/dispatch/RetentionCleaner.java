package io.millrace.dispatch;

import io.millrace.lifecycle.EngineSettings;
import io.millrace.lifecycle.Loop;
import io.millrace.store.RetentionStore;
import io.millrace.store.StoreException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes ended instances and old entries of the audit trail out of the way as the settings say, in
 * small batches between which others get their turn.
 */
final class RetentionCleaner {

  private static final Logger LOG = LoggerFactory.getLogger(RetentionCleaner.class);
  private static final int BATCH = 100;
  private static final int RECORDS = 1_000;
  private static final Duration BETWEEN_ROUNDS = Duration.ofMinutes(1);
  private static final Duration EXECUTORS_KEPT = Duration.ofDays(7);

  /** Events kept of each continuous workflow. */
  private static final int EVENTS_KEPT = 1_000;

  private final EngineContext engine;
  private final RetentionStore store;
  private final EngineSettings.Retention policy;
  private final Loop loop;

  /** A clean-up of rows of a certain age; returns the number of rows handled. */
  @FunctionalInterface
  private interface Sweep {
    int run(Duration age, int limit);
  }

  RetentionCleaner(EngineContext engine) {
    this.engine = engine;
    this.store = engine.store().retention();
    this.policy = engine.settings().retention();
    this.loop = engine.runtime().runner().loop("millrace-retention", this::tick);
  }

  boolean stop(Duration patience) {
    return loop.stop(patience);
  }

  private Duration tick() {
    try {
      boolean archiving =
          sweep("ended instances were archived", policy.archiveAfter(), store::archive);
      boolean deleting = sweep("ended instances were deleted", policy.deleteAfter(), store::delete);
      boolean clearing =
          sweep(
              "ended instances were deleted from the archive",
              policy.deleteArchivedAfter(),
              store::deleteArchived);
      boolean unlisting =
          sweep("fires of schedules were deleted", firesAfter(), store::deleteFires);
      boolean forgetting =
          sweep(
              "entries of the audit trail were deleted",
              policy.deleteAuditAfter(),
              store::deleteAudit);
      boolean sweeping = sweepData();
      store.deleteExecutors(EXECUTORS_KEPT, BATCH);
      boolean trimming = store.trimEvents(EVENTS_KEPT, BATCH) == BATCH;
      boolean old = archiving || deleting || clearing || unlisting || forgetting;
      boolean more = old || trimming || sweeping;
      return more ? Duration.ZERO : BETWEEN_ROUNDS;
    } catch (StoreException e) {
      LOG.debug("What is old could not be taken out of the way; this will be repeated", e);
      return BETWEEN_ROUNDS;
    }
  }

  /** True when more may be left. */
  private boolean sweepData() {
    boolean periods =
        sweep(
            "periods of the ledger were deleted",
            firesAfter(),
            engine.store().periodLedger()::deleteEnded);
    boolean keys = engine.store().keyValues().deleteExpired(BATCH) == BATCH;
    boolean records = engine.store().reductions().deleteObsolete(RECORDS) == RECORDS;
    return periods || keys || records;
  }

  /** Returns the age of fires to delete, that of the instances they started; null for never. */
  private @Nullable Duration firesAfter() {
    Duration live = policy.deleteAfter();
    Duration archived = policy.deleteArchivedAfter();
    if (live == null || archived == null) {
      return live == null ? archived : live;
    }
    return live.compareTo(archived) > 0 ? live : archived;
  }

  /** True when more may be left. */
  private static boolean sweep(String what, @Nullable Duration age, Sweep sweep) {
    if (age == null) {
      return false;
    }
    int handled = sweep.run(age, BATCH);
    if (handled > 0) {
      LOG.info("{} {}", handled, what);
    }
    return handled == BATCH;
  }
}
