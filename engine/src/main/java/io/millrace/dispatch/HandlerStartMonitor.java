package io.millrace.dispatch;

import io.millrace.lifecycle.IntervalThrottle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A monitor that releases claimed instances whose handlers have not started in time, so that other
 * executors can claim them. It logs the handlers that occupy the processors meanwhile. For one
 * thread.
 */
final class HandlerStartMonitor {

  private static final Logger LOG = LoggerFactory.getLogger(HandlerStartMonitor.class);
  private static final int MAX_NAMED = 8;
  private static final int MAX_FRAMES = 12;

  private final EngineContext engine;
  private final LeasedInstances leasedInstances;
  private final InstanceProcessor processor;
  private final IntervalThrottle warnings;
  private final IntervalThrottle notices;

  HandlerStartMonitor(
      EngineContext engine, LeasedInstances leasedInstances, InstanceProcessor processor) {
    this.engine = engine;
    this.leasedInstances = leasedInstances;
    this.processor = processor;
    this.warnings = new IntervalThrottle(engine.clock(), Duration.ofSeconds(10));
    this.notices = new IntervalThrottle(engine.clock(), Duration.ofSeconds(10));
  }

  void check(long now) {
    Duration limit = engine.settings().guards().startTimeout();
    long before = now - limit.toNanos();
    releaseWaiting(before, limit);
    List<LeasedInstance> cpuBound = new ArrayList<>();
    List<LeasedInstance> sharing = new ArrayList<>();
    for (LeasedInstance leased : leasedInstances.all()) {
      if (leased.phase() == LeasedInstance.Phase.QUEUED
          && leased.hasThread()
          && leased.waitingSinceNanos() - before < 0) {
        (leased.isCpuBound() ? cpuBound : sharing).add(leased);
      }
    }
    releaseCpuBound(cpuBound, limit);
    if (!sharing.isEmpty()) {
      releaseStarved(sharing, limit);
    }
  }

  /** Releases instances that wait for a busy handler, since other executors may be idle. */
  private void releaseWaiting(long before, Duration limit) {
    int released = release(processor.queue().removeQueuedBefore(before));
    if (released > 0 && notices.permits()) {
      LOG.info(
          "Released {} claimed instances, for which no handler was free for {}", released, limit);
    }
  }

  /**
   * Releases instances of CPU-bound handlers whose threads start late; each has a thread of its
   * own.
   */
  private void releaseCpuBound(List<LeasedInstance> late, Duration limit) {
    int released = release(late);
    if (released > 0 && notices.permits()) {
      LOG.info(
          "Released {} claimed instances whose threads did not start within {}", released, limit);
    }
  }

  /**
   * Releases instances whose threads start late, and stops claiming. The starvation is set first,
   * so that a thread that starts meanwhile ends it.
   */
  private void releaseStarved(List<LeasedInstance> late, Duration limit) {
    processor.queue().starve();
    int released = release(late);
    if (released == 0) {
      processor.queue().endStarvation();
    } else if (warnings.permits()) {
      LOG.warn(
          "Released {} claimed instances whose handlers did not start within {}, and claims no more"
              + " until handlers start again. {}",
          released,
          limit,
          occupants());
    }
  }

  private int release(List<LeasedInstance> late) {
    int released = 0;
    for (LeasedInstance leased : late) {
      released += processor.releaseUnstarted(leased) ? 1 : 0;
    }
    return released;
  }

  private String occupants() {
    List<String> names =
        processor.handlers().stream()
            .filter(handler -> !handler.isCpuBound())
            .sorted(Comparator.comparingLong(RunningHandler::runningSinceNanos))
            .map(this::occupant)
            .filter(text -> !text.isEmpty())
            .limit(MAX_NAMED)
            .toList();
    return names.isEmpty()
        ? "No handler of this executor occupies a processor; look for other virtual threads of the"
            + " process with jcmd Thread.dump_to_file."
        : "These handlers occupy the processors; declare their states with cpuBound(state), and"
            + " handlers of tasks by cpuBound(): "
            + String.join("; ", names);
  }

  /** Returns a description of the handler; empty if its thread waits for something. */
  private String occupant(RunningHandler handler) {
    List<StackTraceElement> where = handler.stackTrace();
    if (where.isEmpty() || isUnmounted(where.getFirst())) {
      return "";
    }
    Duration running = Duration.ofNanos(engine.clock().nanoTime() - handler.runningSinceNanos());
    return handler
        + " for "
        + running
        + " at "
        + where.subList(0, Math.min(where.size(), MAX_FRAMES));
  }

  /**
   * Returns true for a virtual thread that is not running: its top frame is the method in which it
   * yielded.
   */
  private static boolean isUnmounted(StackTraceElement frame) {
    return frame.getClassName().startsWith("java.lang.VirtualThread")
        || frame.getClassName().startsWith("jdk.internal.vm.Continuation");
  }
}
