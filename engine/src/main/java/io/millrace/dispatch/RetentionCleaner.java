package io.millrace.dispatch;

import io.millrace.lifecycle.EngineSettings;
import io.millrace.lifecycle.IntervalThrottle;
import io.millrace.lifecycle.Loop;
import io.millrace.store.RetentionStore;
import io.millrace.store.RetentionSweep;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cleaner that archives and deletes ended instances, and deletes old entries of the audit trail,
 * according to the settings, and then runs the sweeps of features. It works in small batches,
 * between which others get their turn. A failed sweep does not prevent the others.
 */
final class RetentionCleaner {

  private static final Logger LOG = LoggerFactory.getLogger(RetentionCleaner.class);

  /** Number of successful batches after which the full size is tried again. */
  private static final int GROWTH = 20;

  private static final Duration BETWEEN_ROUNDS = Duration.ofMinutes(1);
  private static final Duration BETWEEN_WARNINGS = Duration.ofMinutes(10);
  private static final Duration EXECUTORS_KEPT = Duration.ofDays(7);

  private final EngineContext engine;
  private final List<Sweep> sweeps = new ArrayList<>();
  private final Loop loop;

  /**
   * @param ofFeatures run after those of instances
   */
  RetentionCleaner(EngineContext engine, List<RetentionSweep> ofFeatures) {
    this.engine = engine;
    Stream.concat(
            ofInstances(engine.store().retention(), engine.settings().retention()),
            ofFeatures.stream())
        .map(Sweep::new)
        .forEach(sweeps::add);
    this.loop = engine.runtime().runner().loop("millrace-retention", this::tick);
  }

  boolean stop(Duration patience) {
    return loop.stop(patience);
  }

  private static Stream<RetentionSweep> ofInstances(
      RetentionStore store, EngineSettings.Retention policy) {
    return Stream.of(
            Stream.of(
                RetentionSweep.of(
                    "removal of instances in parts",
                    RetentionSweep.BATCH,
                    limit -> store.resume(limit) > 0 ? limit : 0)),
            RetentionSweep.aged(
                "archiving of ended instances", policy.archiveAfter(), store::archive),
            RetentionSweep.aged("deletion of ended instances", policy.deleteAfter(), store::delete),
            RetentionSweep.aged(
                "deletion from the archive", policy.deleteArchivedAfter(), store::deleteArchived),
            RetentionSweep.aged(
                "deletion of audit entries", policy.deleteAuditAfter(), store::deleteAudit),
            Stream.of(
                RetentionSweep.of(
                    "deletion of executors",
                    RetentionSweep.BATCH,
                    limit -> store.deleteExecutors(EXECUTORS_KEPT, limit))))
        .flatMap(sweeps -> sweeps);
  }

  private Duration tick() {
    boolean more = false;
    for (Sweep sweep : sweeps) {
      more |= sweep.run();
    }
    return more ? Duration.ZERO : BETWEEN_ROUNDS;
  }

  /** The state of a clean-up. A batch that was too large is halved, down to a single row. */
  private final class Sweep {
    private final RetentionSweep sweep;
    private final IntervalThrottle warnings;
    private int limit;

    Sweep(RetentionSweep sweep) {
      this.sweep = sweep;
      this.limit = sweep.batch();
      this.warnings = new IntervalThrottle(engine.clock(), BETWEEN_WARNINGS);
    }

    /** Handles one batch. Returns true if more may be left. */
    boolean run() {
      try {
        int handled = sweep.call().applyAsInt(limit);
        if (sweep.reported() && handled > 0) {
          LOG.info("Retention: the {} handled {}", sweep.name(), handled);
        }
        boolean more = handled >= limit;
        limit = Math.min(sweep.batch(), limit + Math.max(1, sweep.batch() / GROWTH));
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
            sweep.name(),
            failure);
      } else {
        LOG.debug("Retention: the {} failed again", sweep.name(), failure);
      }
    }
  }
}
