package io.millrace.dispatch;

import io.millrace.instance.StartRequest;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.ClaimResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The due time up to which everything has been claimed. A claim may pass over many rows that it
 * cannot claim: due instances of other executors' definitions, and dead rows of claimed ones, which
 * PostgreSQL keeps while an old transaction runs. The cursor lets the scans of the next claims
 * start behind them, see adr/0018-claim-cursor.md.
 */
final class ClaimCursor {

  /** Duration below which a scan from the start is cheap enough to be repeated. */
  private static final Duration SLOW = Duration.ofMillis(50);

  /** Length of the pause in durations of the full scan before it. */
  private static final int PAUSE_PER_SCAN = 10;

  /**
   * Upper limit of the pause between full scans: a scan may have been slow because this process was
   * frozen meanwhile.
   */
  private static final Duration MAX_PAUSE = Duration.ofMinutes(1);

  /** Time for which an open transaction may still add rows with an earlier due time. */
  private static final Duration OPEN_TRANSACTIONS = Duration.ofSeconds(1);

  /**
   * The due time up to which the scans since the start of the last full one have claimed
   * everything, for each priority. {@link Instant#EPOCH} if they did not come to that priority.
   */
  private final List<Instant> reached =
      new ArrayList<>(Collections.nCopies(StartRequest.MAX_PRIORITY + 1, Instant.EPOCH));

  private long nextFullScanNanos;

  ClaimCursor(long nanos) {
    this.nextFullScanNanos = nanos;
  }

  /** Returns the due time to start from for each priority; empty for a full scan. */
  List<Instant> dueFrom(long nanos) {
    return nanos - nextFullScanNanos >= 0 ? List.of() : List.copyOf(reached);
  }

  /**
   * Records the end of a scan, which begins with the highest priority. A scan that claimed all that
   * was due has reached the present in every priority, less a second for open transactions. One
   * that ended at its limit has done so only above the lowest priority of which it claimed
   * instances: there it has reached the last of them, and below it nothing, so that those
   * priorities keep their due times.
   *
   * @param dueFrom the due times from which it started
   * @param limitReached true if there may be more due instances than it claimed: it was allowed no
   *     more, by their number or by the size of their data
   * @param startNanos when it started
   */
  void record(
      List<Instant> dueFrom,
      ClaimResult result,
      boolean limitReached,
      long startNanos,
      long nanos) {
    if (dueFrom.isEmpty()) {
      Collections.fill(reached, Instant.EPOCH);
      Duration took = Duration.ofNanos(nanos - startNanos);
      nextFullScanNanos = took.compareTo(SLOW) > 0 ? nanos + pauseAfter(took).toNanos() : nanos;
    }
    Instant complete = result.now().minus(OPEN_TRANSACTIONS);
    int lowest = limitReached ? lowestPriority(result) : 0;
    for (int priority = lowest + 1; priority < reached.size(); priority++) {
      reached.set(priority, complete);
    }
    reached.set(lowest, limitReached ? earlier(lastDue(result, lowest), complete) : complete);
  }

  /** Returns the time until the next full scan. */
  private static Duration pauseAfter(Duration scan) {
    Duration pause = scan.multipliedBy(PAUSE_PER_SCAN);
    return pause.compareTo(MAX_PAUSE) < 0 ? pause : MAX_PAUSE;
  }

  private static int lowestPriority(ClaimResult result) {
    return instances(result).stream().mapToInt(w -> w.origin().priority()).min().orElse(0);
  }

  private static Instant lastDue(ClaimResult result, int priority) {
    Instant last = Instant.EPOCH;
    for (WorkflowInstance instance : instances(result)) {
      Instant due = instance.nextActivation();
      if (instance.origin().priority() == priority && due != null && due.isAfter(last)) {
        last = due;
      }
    }
    return last;
  }

  private static List<WorkflowInstance> instances(ClaimResult result) {
    return result.claimed().stream().map(ClaimResult.Claimed::instance).toList();
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }
}
