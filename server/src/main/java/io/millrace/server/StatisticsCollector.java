package io.millrace.server;

import io.millrace.Admin;
import io.millrace.lifecycle.Loop;
import io.millrace.lifecycle.Runner;
import io.millrace.store.StoreException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A loop that counts from time to time how many instances were started and ended, for the charts.
 * It may run on every node.
 */
final class StatisticsCollector implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(StatisticsCollector.class);
  private static final Duration PAUSE = Duration.ofSeconds(30);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Admin admin;
  private final Loop loop;

  /** True after a failure, so that a long outage is logged once; used by the loop only. */
  private boolean failing;

  StatisticsCollector(Admin admin, Runner runner) {
    this.admin = admin;
    this.loop = runner.loop("millrace-statistics", this::tick);
  }

  /** Runs one round. The next round follows at once while there is something to count. */
  private Duration tick() {
    try {
      boolean more = admin.rollUp(admin.now()) > 0;
      failing = false;
      return more ? Duration.ZERO : PAUSE;
    } catch (StoreException e) {
      if (failing) {
        LOG.debug("The statistics were not counted again", e);
      } else {
        LOG.warn("The statistics were not counted; they are retried until they are", e);
      }
      failing = true;
      return PAUSE;
    }
  }

  @Override
  public void close() {
    loop.stop(PATIENCE);
  }
}
