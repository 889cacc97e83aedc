package io.millrace.server.api;

import io.millrace.sequence.UpcomingRun;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Fires that are to come, the earliest first.
 *
 * @param more true when there are further ones in the same time
 */
record PlannedFires(List<FireView> fires, boolean more) {

  /** A workflow with its slots that are left. */
  private record Line(String workflowId, Upcoming slots) {

    /** Whoever has none comes last. */
    Instant at() {
      Instant at = slots.at();
      return at == null ? Instant.MAX : at;
    }
  }

  /**
   * The fires between two times.
   *
   * @param from inclusive; not before now
   * @param to exclusive
   */
  static PlannedFires of(List<UpcomingRun> runs, Instant from, Instant to, int most) {
    PriorityQueue<Line> queue =
        new PriorityQueue<>(Comparator.comparing(Line::at).thenComparing(Line::workflowId));
    for (UpcomingRun run : runs) {
      if (run.at().isBefore(to)) {
        add(queue, new Line(run.workflowId(), Upcoming.of(run, from)), to);
      }
    }
    List<FireView> fires = new ArrayList<>();
    while (!queue.isEmpty() && fires.size() < most) {
      Line line = queue.remove();
      fires.add(FireView.of(line.workflowId, line.slots.take()));
      add(queue, line, to);
    }
    return new PlannedFires(fires, !queue.isEmpty());
  }

  private static void add(PriorityQueue<Line> queue, Line line, Instant to) {
    if (line.at().isBefore(to)) {
      queue.add(line);
    }
  }
}
