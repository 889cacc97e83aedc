package io.millrace.store.sql;

import io.millrace.instance.InstanceStatus;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A writer of the counts of children. The transaction locks the rows of the parents before. */
final class ChildCountWriter {

  /** The change of a parent's counts. */
  private record Count(int open, int failed) {
    static Count between(InstanceStatus before, InstanceStatus after) {
      return new Count(open(after) - open(before), failed(after) - failed(before));
    }

    Count plus(Count other) {
      return new Count(open + other.open, failed + other.failed);
    }

    private static int open(InstanceStatus status) {
      return status.isTerminal() ? 0 : 1;
    }

    private static int failed(InstanceStatus status) {
      return status == InstanceStatus.FAILED || status == InstanceStatus.CANCELLED ? 1 : 0;
    }
  }

  /**
   * Update of the parents' counts. A parent that executes learns of its last child's end when it
   * saves that it waits for children.
   */
  private static final String UPDATE_PARENTS =
      """
      MERGE INTO millrace_instance p
      USING (SELECT d.id, d.child_open, d.child_failed, (SELECT :now) AS now
             FROM UNNEST(CAST(:ids AS bigint ARRAY), CAST(:opens AS integer ARRAY),
                         CAST(:faileds AS integer ARRAY)) AS d(id, child_open, child_failed)
      """
          + Params.EXPECT_FEW
          + """
            ) d ON (p.id = d.id)
          WHEN MATCHED THEN UPDATE SET
            open_child_count = p.open_child_count + d.child_open,
            failed_child_count = p.failed_child_count + d.child_failed,
            modified_at = d.now,
            next_activation_at = CASE
              WHEN d.child_open < 0 AND p.open_child_count + d.child_open = 0
                AND p.waiting_for = 'children' AND p.executor_id IS NULL AND p.ended_at IS NULL
                THEN d.now
              ELSE p.next_activation_at END
          """;

  private ChildCountWriter() {}

  /** Updates the parents of all instances that end with {@code writes}. */
  static void updateParentsOf(SqlSession session, List<TransitionWriter.IndexedSave> writes)
      throws SQLException {
    Map<Long, Count> counts = new TreeMap<>();
    for (TransitionWriter.IndexedSave indexedSave : writes) {
      Long parentId = indexedSave.save().changes().parentId();
      if (parentId != null && indexedSave.ends()) {
        Count count =
            Count.between(InstanceStatus.IN_PROGRESS, indexedSave.save().target().status());
        counts.merge(parentId, count, Count::plus);
      }
    }
    updateParents(session, counts);
  }

  /** Updates a parent after a child's change from one status to another. */
  static void updateParents(
      SqlSession session, long parentId, InstanceStatus before, InstanceStatus after)
      throws SQLException {
    Count count = Count.between(before, after);
    if (count.open != 0 || count.failed != 0) {
      updateParents(session, Map.of(parentId, count));
    }
  }

  private static void updateParents(SqlSession session, Map<Long, Count> counts)
      throws SQLException {
    if (counts.isEmpty()) {
      return;
    }
    List<Map.Entry<Long, Count>> rows = new ArrayList<>(counts.entrySet());
    session.update(
        UPDATE_PARENTS,
        Params.none()
            .longs("ids", rows, Map.Entry::getKey)
            .ints("opens", rows, row -> row.getValue().open)
            .ints("faileds", rows, row -> row.getValue().failed));
  }
}
