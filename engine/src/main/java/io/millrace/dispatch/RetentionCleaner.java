package io.millrace.dispatch;

import io.millrace.lifecycle.EngineSettings;
import io.millrace.lifecycle.IntervalThrottle;
import io.millrace.lifecycle.Loop;
import io.millrace.store.KeyValueStore;
import io.millrace.store.PeriodLedgerStore;
import io.millrace.store.ReduceStore;
import io.millrace.store.RetentionStore;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cleaner that archives and deletes ended instances, and deletes old entries of the audit trail,
 * according to the settings. It works in small batches, between which others get their turn. A
 * failed sweep does not prevent the others.
 */
final class RetentionCleaner {

  private static final Logger LOG = LoggerFactory.getLogger(RetentionCleaner.class);
  private static final int BATCH = 100;
  private static final int RECORDS = 1_000;

  /** Number of successful batches after which the full size is tried again. */
  private static final int GROWTH = 20;

  private static final Duration BETWEEN_ROUNDS = Duration.ofMinutes(1);
  private static final Duration BETWEEN_WARNINGS = Duration.ofMinutes(10);
  private static final Duration EXECUTORS_KEPT = Duration.ofDays(7);

  /** Number of events kept of each continuous workflow. */
  private static final int EVENTS_KEPT = 1_000;

  private final EngineContext engine;
  private final EngineSettings.Retention policy;
  private final List<Sweep> sweeps = new ArrayList<>();
  private final Loop loop;

  /** A clean-up of rows of a certain age; returns the number of rows handled. */
  @FunctionalInterface
  private interface AgedCall {
    int run(Duration age, int limit);
  }

  RetentionCleaner(EngineContext engine) {
    this.engine = engine;
    this.policy = engine.settings().retention();
    addSweeps(engine.store().retention());
    this.loop = engine.runtime().runner().loop("millrace-retention", this::tick);
  }

  boolean stop(Duration patience) {
    return loop.stop(patience);
  }

  private void addSweeps(RetentionStore store) {
    sweeps.add(
        new Sweep(
            "removal of instances in parts", BATCH, limit -> store.resume(limit) > 0 ? limit : 0));
    sweeps.add(
        new Sweep(
            "removal of sequences and continuous workflows in parts",
            1,
            limit -> store.resumeNamed()));
    aged("archiving of ended instances", policy.archiveAfter(), store::archive);
    aged("deletion of ended instances", policy.deleteAfter(), store::delete);
    aged("deletion from the archive", policy.deleteArchivedAfter(), store::deleteArchived);
    aged("deletion of slot records", deleteRecordsAfter(), store::deleteSlotRecords);
    aged("deletion of audit entries", policy.deleteAuditAfter(), store::deleteAudit);
    aged(
        "deletion of periods of the ledger",
        deleteRecordsAfter(),
        engine.store().role(PeriodLedgerStore.class)::deleteEnded);
    sweeps.add(
        new Sweep(
            "deletion of expired keys",
            BATCH,
            engine.store().role(KeyValueStore.class)::deleteExpired));
    sweeps.add(
        new Sweep(
            "deletion of obsolete reduce records",
            RECORDS,
            engine.store().role(ReduceStore.class)::deleteObsolete));
    sweeps.add(
        new Sweep(
            "deletion of executors", BATCH, limit -> store.deleteExecutors(EXECUTORS_KEPT, limit)));
    sweeps.add(
        new Sweep(
            "deletion of events of continuous workflows",
            BATCH,
            limit -> store.trimEvents(EVENTS_KEPT, limit)));
  }

  private void aged(String name, @Nullable Duration age, AgedCall call) {
    if (age != null) {
      sweeps.add(new Sweep(name, BATCH, limit -> logged(name, call.run(age, limit))));
    }
  }

  private static int logged(String name, int handled) {
    if (handled > 0) {
      LOG.info("Retention: the {} handled {}", name, handled);
    }
    return handled;
  }

  private Duration tick() {
    boolean more = false;
    for (Sweep sweep : sweeps) {
      more |= sweep.run();
    }
    return more ? Duration.ZERO : BETWEEN_ROUNDS;
  }

  /**
   * Returns the age of slot records and periods to delete, that of their instances; null for never.
   */
  private @Nullable Duration deleteRecordsAfter() {
    Duration live = policy.deleteAfter();
    Duration archived = policy.deleteArchivedAfter();
    if (live == null || archived == null) {
      return live == null ? archived : live;
    }
    return live.compareTo(archived) > 0 ? live : archived;
  }

  /** One kind of clean-up. A batch that was too large is halved, down to a single row. */
  private final class Sweep {
    private final String name;
    private final int batch;
    private final IntUnaryOperator call;
    private final IntervalThrottle warnings;
    private int limit;

    Sweep(String name, int batch, IntUnaryOperator call) {
      this.name = name;
      this.batch = batch;
      this.limit = batch;
      this.call = call;
      this.warnings = new IntervalThrottle(engine.clock(), BETWEEN_WARNINGS);
    }

    /** Handles one batch. Returns true if more may be left. */
    boolean run() {
      try {
        int handled = call.applyAsInt(limit);
        boolean more = handled >= limit;
        limit = Math.min(batch, limit + Math.max(1, batch / GROWTH));
        return more;
      } catch (StoreException e) {
        warn(e);
        boolean smaller = limit > 1 && (e.blocked() || e.rejected());
        limit = Math.max(1, limit / 2);
        return smaller;
      } catch (RuntimeException e) {
        warn(e);
        return false;
      }
    }

    private void warn(RuntimeException failure) {
      if (warnings.permits()) {
        LOG.warn(
            "Retention: the {} failed. It will be repeated, and other clean-ups go on.",
            name,
            failure);
      } else {
        LOG.debug("Retention: the {} failed again", name, failure);
      }
    }
  }
}
