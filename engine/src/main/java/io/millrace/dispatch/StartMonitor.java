package io.millrace.dispatch;

import io.millrace.lifecycle.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases claimed instances whose handlers have not started in time, so that other nodes can take
 * them. Names the handlers that occupy the processors meanwhile. For one thread.
 */
final class StartMonitor {

  private static final Logger LOG = LoggerFactory.getLogger(StartMonitor.class);
  private static final int MOST_NAMED = 8;
  private static final int MOST_FRAMES = 12;

  private final Node node;
  private final HeldSet held;
  private final Worker worker;
  private final RateLimit warnings;
  private final RateLimit notices;

  StartMonitor(Node node, HeldSet held, Worker worker) {
    this.node = node;
    this.held = held;
    this.worker = worker;
    this.warnings = new RateLimit(node.clock(), Duration.ofSeconds(10));
    this.notices = new RateLimit(node.clock(), Duration.ofSeconds(10));
  }

  void check(long now) {
    Duration limit = node.settings().guards().startTimeout();
    long before = now - limit.toNanos();
    releaseWaiting(before, limit);
    List<Held> computing = new ArrayList<>();
    List<Held> sharing = new ArrayList<>();
    for (Held one : held.all()) {
      if (one.phase() == Held.Phase.QUEUED && one.isStarted() && one.queuedNanos() - before < 0) {
        (one.isComputing() ? computing : sharing).add(one);
      }
    }
    releaseComputing(computing, limit);
    if (!sharing.isEmpty()) {
      releaseStalled(sharing, limit);
    }
  }

  /** All handlers are busy, which is no fault, but others may be idle. */
  private void releaseWaiting(long before, Duration limit) {
    int released = giveBack(worker.queue().removeQueuedBefore(before));
    if (released > 0 && notices.permits()) {
      LOG.info(
          "Released {} claimed instances, for which no handler was free for {}", released, limit);
    }
  }

  /** Each has a thread of its own; that one starts late says nothing of the next. */
  private void releaseComputing(List<Held> late, Duration limit) {
    int released = giveBack(late);
    if (released > 0 && notices.permits()) {
      LOG.info(
          "Released {} claimed instances whose threads did not start within {}", released, limit);
    }
  }

  /** The stall is set first: a thread that starts meanwhile ends it again. */
  private void releaseStalled(List<Held> late, Duration limit) {
    worker.queue().stall();
    int released = giveBack(late);
    if (released == 0) {
      worker.queue().endStall();
    } else if (warnings.permits()) {
      LOG.warn(
          "Released {} claimed instances whose handlers did not start within {}, and claims no more"
              + " until handlers start again. {}",
          released,
          limit,
          occupants());
    }
  }

  private int giveBack(List<Held> late) {
    int released = 0;
    for (Held one : late) {
      released += worker.giveBackUnstarted(one) ? 1 : 0;
    }
    return released;
  }

  private String occupants() {
    List<String> names =
        held.all().stream()
            .filter(one -> one.phase() == Held.Phase.RUNNING && one.attempt() != null)
            .sorted(Comparator.comparingLong(StartMonitor::begun))
            .map(this::occupant)
            .filter(text -> !text.isEmpty())
            .limit(MOST_NAMED)
            .toList();
    return names.isEmpty()
        ? "No handler of this executor occupies a processor; look for other virtual threads of the"
            + " process with jcmd Thread.dump_to_file."
        : "These handlers occupy the processors; declare their states as computing(): "
            + String.join("; ", names);
  }

  private static long begun(Held one) {
    Held.Attempt attempt = one.attempt();
    return attempt == null ? Long.MAX_VALUE : attempt.startedNanos();
  }

  /** Empty if the handler's thread waits for something, or does not compete with others. */
  private String occupant(Held one) {
    Task task = one.task();
    List<StackTraceElement> where = task == null ? List.of() : task.stackTrace();
    if (where.isEmpty() || isUnmounted(where.getFirst())) {
      return "";
    }
    Duration running = Duration.ofNanos(node.clock().nanoTime() - begun(one));
    return one + " for " + running + " at " + where.subList(0, Math.min(where.size(), MOST_FRAMES));
  }

  /** A virtual thread that does not run on a processor shows the method in which it yielded. */
  private static boolean isUnmounted(StackTraceElement frame) {
    return frame.getClassName().startsWith("java.lang.VirtualThread")
        || frame.getClassName().startsWith("jdk.internal.vm.Continuation");
  }
}
