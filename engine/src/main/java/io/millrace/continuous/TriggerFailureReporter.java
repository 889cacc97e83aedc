package io.millrace.continuous;

import io.millrace.extension.EngineServices;
import io.millrace.store.ContinuousStore;
import io.millrace.store.ContinuousStore.LogEntry;
import io.millrace.store.ContinuousStore.LogEntryType;
import io.millrace.store.ContinuousStore.TriggerFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A recorder of failed triggers, so that they are opened again after a pause. */
final class TriggerFailureReporter {

  private static final Logger LOG = LoggerFactory.getLogger(TriggerFailureReporter.class);

  /** Log entries read per failure; about half are starts. */
  private static final int ENTRIES_PER_FAILURE = 3;

  private final ContinuousStore store;
  private final EngineServices services;
  private final TriggerRunRegistry runs;
  private final Queue<Failed> queue = new ConcurrentLinkedQueue<>();

  private record Failed(TriggerRun run, Throwable fault, long nanos) {}

  TriggerFailureReporter(ContinuousStore store, EngineServices services, TriggerRunRegistry runs) {
    this.store = store;
    this.services = services;
    this.runs = runs;
  }

  /** Reports a failure, from any thread; ignored if the run is closed. */
  void add(TriggerRun run, Throwable fault) {
    if (run.isAlive()) {
      run.retire();
      queue.add(new Failed(run, fault, services.runtime().clock().nanoTime()));
      run.close();
    } else {
      LOG.debug("The {} failed at its end", run, fault);
    }
  }

  boolean isEmpty() {
    return queue.isEmpty();
  }

  /** Writes the failures to the database. Those it does not accept now are kept. */
  void report() {
    for (Failed next = queue.peek(); next != null; next = queue.peek()) {
      if (next.run.equals(runs.find(next.run.name()))) {
        report(next);
      }
      queue.poll();
    }
  }

  private void report(Failed failed) {
    TriggerRun run = failed.run;
    RestartPolicy policy = run.workflow().restart();
    boolean healthy = failed.nanos - run.openedNanos() >= policy.healthyAfter().toNanos();
    int failures = healthy ? 1 : run.failuresBefore() + 1;
    boolean loop = !healthy && (run.wasCrashLoop() || isCrashLoop(run.name(), failures, policy));
    Duration pause = policy.pauses().delayAfter(failures, services.runtime().random());
    pause = loop ? policy.pauses().maxDelay() : pause;
    store.recordFailure(
        run.owner(), new TriggerFailure(failed.fault.toString(), failures, pause, loop));
    runs.remove(run);
    logFailure(failed, failures, pause, loop);
  }

  private boolean isCrashLoop(String name, int failures, RestartPolicy policy) {
    int most = policy.loop().most();
    if (failures <= most) {
      return false;
    }
    Instant since = services.runtime().clock().instant().minus(policy.loop().within());
    return store.log(name, null, most * ENTRIES_PER_FAILURE).stream()
            .filter(TriggerFailureReporter::isFailure)
            .filter(entry -> entry.at().isAfter(since))
            .count()
        >= most;
  }

  private static boolean isFailure(LogEntry entry) {
    return entry.type() == LogEntryType.FAILED || entry.type() == LogEntryType.CRASH_LOOP;
  }

  /**
   * Logs a failure. The first one in a row and a new crash loop are logged with the stack trace.
   */
  private static void logFailure(Failed failed, int failures, Duration pause, boolean loop) {
    String name = failed.run.name();
    if (loop && !failed.run.wasCrashLoop()) {
      LOG.error(
          "The trigger of '{}' failed {} times in a row; it is retried every {}. Find the cause in"
              + " the stack trace, or disable the workflow",
          name,
          failures,
          pause,
          failed.fault);
    } else if (failures == 1) {
      LOG.warn(
          "The trigger of '{}' has failed; it is tried again in {}", name, pause, failed.fault);
    } else {
      LOG.warn(
          "The trigger of '{}' has failed {} times in a row; it is tried again in {}: {}",
          name,
          failures,
          pause,
          failed.fault.toString());
    }
  }
}
