package io.millrace.store.sql;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The statements that find executors by the rows that they own: instances, and rows of features.
 */
final class ExecutorOwnership {

  /**
   * The ownership of an instance. A scalar subquery reads the index once for each executor. Only
   * the index has the order; with an equality, PostgreSQL would ignore the order, and read the
   * table if another executor owns many instances.
   */
  private static final String INSTANCE =
      "(SELECT w.id FROM millrace_instance w WHERE w.executor_id BETWEEN e.id AND e.id"
          + " ORDER BY w.executor_id LIMIT 1) IS NOT NULL";

  private static final String OTHER =
      "\n  OR (SELECT a.KEY FROM TABLE a WHERE a.executor_id BETWEEN e.id AND e.id"
          + " ORDER BY a.executor_id LIMIT 1) IS NOT NULL";

  private static final String EXPIRED =
      """
      SELECT e.id FROM millrace_executor e
      WHERE e.executor_group = :executorGroup AND DEAD
        AND ((e.stopped_at IS NULL AND e.recovered_at IS NULL) OR OWNS_SOMETHING)
      ORDER BY e.id
      """
          .replace("DEAD", SqlExecutorStore.DEAD);

  private static final String FORGOTTEN =
      """
      SELECT DISTINCT w.executor_id FROM millrace_instance w
      WHERE w.executor_id > 0 AND w.executor_group = :executorGroup
        AND NOT EXISTS (SELECT 1 FROM millrace_executor e WHERE e.id = w.executor_id)
      """;

  private static final String FORGOTTEN_OTHER =
      """
      UNION
      SELECT a.executor_id FROM TABLE a
      WHERE a.executor_id > 0 AND a.executor_group = :executorGroup
        AND NOT EXISTS (SELECT 1 FROM millrace_executor e WHERE e.id = a.executor_id)
      """;

  private final String owns;
  private final String expired;
  private final String forgotten;

  /**
   * @param owned the tables beside that of instances whose rows belong to executors
   */
  ExecutorOwnership(List<SqlHooks.OwnedTable> owned) {
    this.owns = "(" + INSTANCE + joined(OTHER, owned) + ")\n";
    this.expired = EXPIRED.replace("OWNS_SOMETHING", owns.strip());
    this.forgotten = FORGOTTEN + joined(FORGOTTEN_OTHER, owned) + "ORDER BY 1\n";
  }

  private static String joined(String text, List<SqlHooks.OwnedTable> owned) {
    return owned.stream()
        .map(one -> text.replace("KEY", one.key()).replace("TABLE", one.table()))
        .collect(Collectors.joining());
  }

  /**
   * Returns a condition for an executor {@code e} that owns something. EXISTS instead of its
   * subqueries may read all instances.
   */
  String owns() {
    return owns;
  }

  /**
   * Returns a query for dead executors. One that has stopped or was recovered may still own a row,
   * which must not be forgotten.
   */
  String expired() {
    return expired;
  }

  /**
   * Returns a query for recovered executors that still own rows. Reads the index of owners from end
   * to end, with all dead entries that a long transaction keeps in it.
   */
  String forgotten() {
    return forgotten;
  }
}
