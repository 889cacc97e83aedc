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
 * Deletes from time to time the results and PDFs whose execution retention has deleted. Every node
 * may.
 */
public final class ReportCleaner implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ReportCleaner.class);
  private static final int BATCH = 100;
  private static final Duration BETWEEN_ROUNDS = Duration.ofMinutes(10);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final ReportRetention retention;
  private final BooleanSupplier ready;
  private final Loop loop;

  /** How far this round has come; of the loop alone. */
  private long last;

  /** Halved when a batch fails, since executions have any number of results; of the loop alone. */
  private int limit = BATCH;

  /**
   * @param ready false while the tables cannot be used
   */
  ReportCleaner(ReportRetention retention, BooleanSupplier ready, Runner runner) {
    this.retention = retention;
    this.ready = ready;
    this.loop = runner.loop("millrace-report-retention", this::tick);
  }

  /** One batch; the next comes at once until the round has ended. */
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
