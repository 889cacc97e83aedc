package io.millrace.store.sql;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The search for ended instances on PostgreSQL. An instance with many children can stay open for
 * months, so the rows of the children that it keeps are not read: the indexes of ended instances
 * contain the parent. PostgreSQL chooses an index when a query sorts by its columns.
 */
final class PostgresRetention {

  private static final String FROM =
      " FROM millrace_instance w WHERE w.ended_at < (SELECT "
          + SqlRetentionStore.BEFORE
          + ") AND w.executor_id IS NULL KEEPING";

  private static final String ROOTS =
      "SELECT w.id" + FROM + " AND w.parent_id IS NULL ORDER BY w.ended_at, w.id LIMIT :limit";

  /**
   * Query that walks from parent to parent through the index, and reads children of those that keep
   * none.
   */
  private static final String CHILDREN =
      """
      WITH RECURSIVE parents (id) AS (
        (SELECT w.parent_id FROM millrace_instance w
          WHERE w.parent_id IS NOT NULL AND w.ended_at IS NOT NULL
          ORDER BY w.parent_id, w.ended_at, w.id LIMIT 1)
        UNION ALL
        SELECT (SELECT w.parent_id FROM millrace_instance w
          WHERE w.parent_id > parents.id AND w.ended_at IS NOT NULL
          ORDER BY w.parent_id, w.ended_at, w.id LIMIT 1)
        FROM parents WHERE parents.id IS NOT NULL)
      SELECT c.id FROM parents CROSS JOIN LATERAL (SELECT w.id\
      """
          + FROM
          + """
           AND w.parent_id = parents.id ORDER BY w.ended_at, w.id LIMIT :limit) c
          WHERE parents.id IS NOT NULL AND (
            SELECT p.id FROM millrace_instance p WHERE p.id = parents.id AND\
          """
          + " "
          + SqlRetentionStore.KEEPS_CHILDREN
          + ") IS NULL LIMIT :limit";

  /**
   * Query that locks children. The conditions are repeated, as a child may have been retried
   * meanwhile.
   */
  private static final String LOCK_CHILDREN =
      "SELECT w.id"
          + FROM
          + " AND w.id = ANY(ARRAY("
          + CHILDREN
          + ")) ORDER BY w.id FOR UPDATE SKIP LOCKED";

  private PostgresRetention() {}

  /**
   * Locks old instances that no parent keeps, those without a parent first. The transaction must
   * prefer the order of indexes.
   */
  static List<Long> lock(SqlSession session, Duration age, int limit) throws SQLException {
    List<Long> ids =
        new ArrayList<>(
            SqlRetentionStore.ids(
                session, text(session, ROOTS) + session.dialect().skipLocked(), age, limit));
    if (ids.size() < limit) {
      ids.addAll(
          SqlRetentionStore.ids(session, text(session, LOCK_CHILDREN), age, limit - ids.size()));
    }
    return ids;
  }

  /** Returns one of these instances without a lock. */
  static List<Long> find(SqlSession session, Duration age) throws SQLException {
    session.dialect().preferIndexOrder(session);
    List<Long> roots = SqlRetentionStore.ids(session, text(session, ROOTS), age, 1);
    return roots.isEmpty()
        ? SqlRetentionStore.ids(session, text(session, CHILDREN), age, 1)
        : roots;
  }

  private static String text(SqlSession session, String statement) {
    return statement.replace(" KEEPING", session.hooks().keeping());
  }
}
