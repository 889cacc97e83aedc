package io.millrace.store.sql;

import io.millrace.store.RetentionStore;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Takes ended instances out of the way. */
final class SqlRetentionStore implements RetentionStore {

  static final String BEFORE = ":now - CAST(:age AS bigint) * INTERVAL '0.000001' SECOND";

  /** True for {@code w} unless the end of a fire's execution has yet to be recorded. */
  static final String SETTLED =
      """
      (SELECT f.id FROM millrace_schedule_fire f
        WHERE f.execution_id = w.id AND f.unsettled = TRUE) IS NULL
      """;

  /** True for a parent {@code p} that can still read its children: it runs, or can be retried. */
  static final String KEEPS_CHILDREN = "(p.ended IS NULL OR p.status = 'failed')";

  /**
   * The end is bounded by a scalar subquery, since an index cannot be searched with a volatile
   * function.
   */
  static final String OLD =
      "SELECT w.id FROM millrace_workflow w WHERE w.ended < (SELECT "
          + BEFORE
          + ") AND w.executor_id IS NULL AND (SELECT p.id FROM millrace_workflow p"
          + " WHERE p.id = w.parent_id AND "
          + KEEPS_CHILDREN
          + ") IS NULL AND "
          + SETTLED
          + " ORDER BY w.ended, w.id LIMIT :limit FOR UPDATE";

  private static final String OLD_ARCHIVED =
      "SELECT id FROM millrace_archive_workflow WHERE ended < (SELECT "
          + BEFORE
          + ") ORDER BY ended, id LIMIT :limit";

  /**
   * A slot is decided about when it is due or later, so that the index of slots finds what is old.
   */
  private static final String DELETE_FIRES =
      "DELETE FROM millrace_schedule_fire WHERE id IN (SELECT f.id FROM millrace_schedule_fire f"
          + " WHERE f.slot < (SELECT "
          + BEFORE
          + ") AND f.at < (SELECT "
          + BEFORE
          + """
          ) AND f.unsettled IS NULL
            AND (SELECT w.id FROM millrace_workflow w WHERE w.id = f.execution_id) IS NULL
            AND (SELECT a.id FROM millrace_archive_workflow a WHERE a.id = f.execution_id) IS NULL
            AND (SELECT s.workflow_id FROM millrace_schedule s
              WHERE s.workflow_id = f.workflow_id AND s.execution_id = f.execution_id) IS NULL
          ORDER BY f.slot, f.id LIMIT :limit)
          """;

  private static final String DELETE_EXECUTORS =
      "DELETE FROM millrace_executor WHERE id IN (SELECT e.id FROM millrace_executor e WHERE (e.stopped < "
          + BEFORE
          + " OR e.recovered < "
          + BEFORE
          + """
          ) AND NOT (
          """
          + SqlExecutorStore.OWNS
          + ") ORDER BY e.id LIMIT :limit)";

  /** A table with all that belongs to instances, and its twin in the archive. */
  private record Table(String live, String archive, String key, String columns) {
    String copy() {
      return "INSERT INTO "
          + archive
          + " ("
          + columns
          + ") SELECT "
          + columns
          + " FROM "
          + live
          + whereKey();
    }

    String delete() {
      return "DELETE FROM " + live + whereKey();
    }

    String deleteArchived() {
      return "DELETE FROM " + archive + whereKey();
    }

    private String whereKey() {
      return " WHERE " + key + " = ANY(CAST(:ids AS bigint ARRAY))";
    }
  }

  private static final List<Table> TABLES =
      List.of(
          new Table(
              "millrace_workflow",
              "millrace_archive_workflow",
              "id",
              """
              id, type, version, definition_id, executor_group, priority, business_key, external_id,
              parent_id, payload_hash, input, state, status, reason, entered_seq, next_activation,
              waiting_for, wait_until, wake_at, executor_id, lease_version, seq, attempt,
              recoveries, created, modified, entered, ended, children_total, children_open,
              children_failed, variables, inbox, steps_seq, progress_done, progress_total,
              progress_text, failure
              """),
          new Table(
              "millrace_workflow_action",
              "millrace_archive_action",
              "workflow_id",
              RowMappers.ACTION),
          new Table(
              "millrace_workflow_variable",
              "millrace_archive_variable",
              "workflow_id",
              "workflow_id, name, \"value\", search"),
          new Table(
              "millrace_workflow_signal",
              "millrace_archive_signal",
              "workflow_id",
              RowMappers.SIGNAL + ", dedupe_key"),
          new Table(
              "millrace_workflow_step",
              "millrace_archive_step",
              "workflow_id",
              "workflow_id, entered_seq, name, result, created"));

  /** Not archived: what was logged is of use only as long as the instance can be looked at. */
  private static final String DELETE_LOG =
      "DELETE FROM millrace_workflow_log WHERE workflow_id = ANY(CAST(:ids AS bigint ARRAY))";

  /** Looks at the oldest only, since times grow with ids. */
  private static final String DELETE_AUDIT =
      """
      DELETE FROM millrace_audit WHERE id IN (
        SELECT oldest.id FROM (
          SELECT a.id, a.at FROM millrace_audit a ORDER BY a.id LIMIT :limit) oldest
        WHERE oldest.at <\
      """
          + BEFORE
          + ")";

  private final Jdbc jdbc;

  SqlRetentionStore(Jdbc jdbc) {
    this.jdbc = jdbc;
  }

  @Override
  public int archive(Duration age, int limit) {
    return jdbc.transaction(
        "archive instances",
        StatementTimeout.LONG,
        sqlSession -> {
          List<Long> ids = old(sqlSession, age, limit);
          for (Table table : TABLES) {
            change(sqlSession, table.copy(), ids);
            change(sqlSession, table.delete(), ids);
          }
          change(sqlSession, DELETE_LOG, ids);
          return ids.size();
        });
  }

  @Override
  public int delete(Duration age, int limit) {
    return jdbc.transaction(
        "delete instances",
        StatementTimeout.LONG,
        sqlSession -> {
          List<Long> ids = old(sqlSession, age, limit);
          for (Table table : TABLES) {
            change(sqlSession, table.delete(), ids);
          }
          change(sqlSession, DELETE_LOG, ids);
          return ids.size();
        });
  }

  @Override
  public int deleteArchived(Duration age, int limit) {
    return jdbc.transaction(
        "delete archived instances",
        StatementTimeout.LONG,
        sqlSession -> {
          List<Long> ids = ids(sqlSession, OLD_ARCHIVED, age, limit);
          for (Table table : TABLES) {
            change(sqlSession, table.deleteArchived(), ids);
          }
          return ids.size();
        });
  }

  @Override
  public int deleteFires(Duration age, int limit) {
    return jdbc.run(
        "delete fires",
        StatementTimeout.LONG,
        sqlSession -> sqlSession.update(DELETE_FIRES, params(age, limit)));
  }

  @Override
  public int deleteExecutors(Duration age, int limit) {
    return jdbc.run(
        "delete executors",
        StatementTimeout.LONG,
        sqlSession -> sqlSession.update(DELETE_EXECUTORS, params(age, limit)));
  }

  @Override
  public int deleteAudit(Duration age, int limit) {
    return jdbc.run(
        "delete from the audit trail",
        StatementTimeout.LONG,
        sqlSession -> sqlSession.update(DELETE_AUDIT, params(age, limit)));
  }

  @Override
  public int trimEvents(int keep, int limit) {
    return jdbc.transaction(
        "delete events of continuous workflows",
        StatementTimeout.LONG,
        sqlSession -> ContinuousEventWriter.trim(sqlSession, keep, limit));
  }

  private List<Long> old(SqlSession sqlSession, Duration age, int limit) throws SQLException {
    return jdbc.dialect().ended(sqlSession, age, limit);
  }

  static List<Long> ids(SqlSession sqlSession, String sql, Duration age, int limit)
      throws SQLException {
    return sqlSession.query(sql, params(age, limit), row -> row.getLong("id"));
  }

  private static Params params(Duration age, int limit) {
    return Params.of("age", ColumnTimes.micros(age)).set("limit", limit);
  }

  private static void change(SqlSession sqlSession, String sql, List<Long> ids)
      throws SQLException {
    if (!ids.isEmpty()) {
      sqlSession.update(sql, Params.none().longs("ids", ids));
    }
  }
}
