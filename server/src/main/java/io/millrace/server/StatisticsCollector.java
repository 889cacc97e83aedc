package io.millrace.server;

import io.millrace.Operations;
import io.millrace.lifecycle.Loop;
import io.millrace.lifecycle.Runner;
import io.millrace.store.StoreException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts from time to time what was started and what ended, for the charts. Every node may. */
final class StatisticsCollector implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(StatisticsCollector.class);
  private static final Duration REST = Duration.ofSeconds(30);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Operations operations;
  private final Loop loop;

  /** So that a long fault is one warning; of the loop alone. */
  private boolean failing;

  StatisticsCollector(Operations operations, Runner runner) {
    this.operations = operations;
    this.loop = runner.loop("millrace-statistics", this::tick);
  }

  /** As long as there is something to count, the next round comes at once. */
  private Duration tick() {
    try {
      boolean more = operations.rollUp(operations.now()) > 0;
      failing = false;
      return more ? Duration.ZERO : REST;
    } catch (StoreException e) {
      if (failing) {
        LOG.debug("The statistics were not counted again", e);
      } else {
        LOG.warn("The statistics were not counted; they are retried until they are", e);
      }
      failing = true;
      return REST;
    }
  }

  @Override
  public void close() {
    loop.stop(PATIENCE);
  }
}
