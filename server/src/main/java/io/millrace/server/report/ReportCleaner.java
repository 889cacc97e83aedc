package io.millrace.server.report;

import io.millrace.instance.MillraceException;
import io.millrace.lifecycle.Loop;
import io.millrace.lifecycle.Runner;
import io.millrace.report.store.ReportRetention;
import io.millrace.report.store.ReportRetention.SweepResult;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A loop that deletes from time to time the results and PDFs of executions that retention has
 * deleted. It may run on every node.
 */
public final class ReportCleaner implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ReportCleaner.class);
  private static final int BATCH = 100;
  private static final Duration BETWEEN_ROUNDS = Duration.ofMinutes(10);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final ReportRetention retention;
  private final BooleanSupplier ready;
  private final Loop loop;

  /** The last execution id of this round; used by the loop only. */
  private long last;

  /**
   * Size of a batch. It is halved when a batch fails, since an execution may have any number of
   * results. Used by the loop only.
   */
  private int limit = BATCH;

  /**
   * @param ready returns false while the tables cannot be used
   */
  ReportCleaner(ReportRetention retention, BooleanSupplier ready, Runner runner) {
    this.retention = retention;
    this.ready = ready;
    this.loop = runner.loop("millrace-report-retention", this::tick);
  }

  /** Deletes one batch; the next one follows at once until the round has ended. */
  private Duration tick() {
    try {
      if (!ready.getAsBoolean()) {
        return BETWEEN_ROUNDS;
      }
      SweepResult sweepResult = retention.sweep(last, limit);
      if (sweepResult.deleted() > 0) {
        LOG.info(
            "{} results and PDFs of executions that are gone were deleted", sweepResult.deleted());
      }
      limit = Math.min(BATCH, limit + 1);
      last = sweepResult.more() ? sweepResult.last() : 0;
      return sweepResult.more() ? Duration.ZERO : BETWEEN_ROUNDS;
    } catch (MillraceException e) {
      LOG.warn(
          "Results and PDFs behind execution {} could not be deleted; fewer are tried in {}"
              + " minutes",
          last,
          BETWEEN_ROUNDS.toMinutes(),
          e);
      limit = Math.max(1, limit / 2);
      return BETWEEN_ROUNDS;
    }
  }

  @Override
  public void close() {
    loop.stop(PATIENCE);
  }
}
