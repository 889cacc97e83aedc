package io.millrace.store.sql;

import static java.util.Comparator.comparing;

import io.millrace.store.RetentionStore;
import io.millrace.store.sql.RemovalTables.Removal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The archiving and deleting of ended instances in SQL. */
final class SqlRetentionStore implements RetentionStore {

  static final String BEFORE = ":now - CAST(:age AS bigint) * INTERVAL '0.000001' SECOND";

  /**
   * Condition for a parent {@code p} that can still read its children: it runs, or can be retried.
   */
  static final String KEEPS_CHILDREN = "(p.ended_at IS NULL OR p.status = 'failed')";

  /**
   * Query for old instances. The end is bounded by a scalar subquery, since an index cannot be
   * searched with a volatile function.
   */
  private static final String FIND_OLD =
      "SELECT w.id FROM millrace_instance w WHERE w.ended_at < (SELECT "
          + BEFORE
          + ") AND w.executor_id IS NULL AND (SELECT p.id FROM millrace_instance p"
          + " WHERE p.id = w.parent_id AND "
          + KEEPS_CHILDREN
          + ") IS NULL KEEPING ORDER BY w.ended_at, w.id LIMIT :limit";

  private static final String ENDED =
      "SELECT id, ended_at FROM millrace_instance WHERE id = ANY(CAST(:ids AS bigint ARRAY))";

  private static final String ARCHIVED =
      "SELECT id, ended_at FROM millrace_archive_instance WHERE ended_at < (SELECT "
          + BEFORE
          + ") ORDER BY ended_at, id LIMIT 1";

  /** Query for partly removed instances, whose table holds few rows. */
  private static final String UNFINISHED =
      "SELECT instance_id AS id, ended_at FROM millrace_removal WHERE ended_at < (SELECT "
          + BEFORE
          + ") AND CASE WHEN kind = 'deleteArchived' THEN TRUE ELSE FALSE END = :archived"
          + " ORDER BY ended_at LIMIT 1";

  private static final String DELETE_EXECUTORS =
      "DELETE FROM millrace_executor WHERE id IN (SELECT e.id FROM millrace_executor e WHERE"
          + " (e.stopped_at < "
          + BEFORE
          + " OR e.recovered_at < "
          + BEFORE
          + """
          ) AND NOT (
          OWNS) ORDER BY e.id LIMIT :limit)\
          """;

  /** Query of old entries. Reads the oldest only, since times grow with ids. */
  private static final String OLD_AUDIT =
      """
      SELECT oldest.id FROM (
        SELECT a.id, a.recorded_at FROM millrace_audit a ORDER BY a.id LIMIT :limit) oldest
      WHERE oldest.recorded_at <\
      """
          + BEFORE;

  private static final String DELETE_AUDIT =
      "DELETE FROM millrace_audit WHERE id = ANY(CAST(:ids AS bigint ARRAY))";

  private final Jdbc jdbc;
  private final InstanceRemover remover;
  private final String deleteExecutors;

  SqlRetentionStore(Jdbc jdbc) {
    this.jdbc = jdbc;
    this.remover = new InstanceRemover(jdbc);
    this.deleteExecutors =
        DELETE_EXECUTORS.replace("OWNS", new ExecutorOwnership(jdbc.hooks().owned()).owns());
  }

  @Override
  public int archive(Duration age, int limit) {
    return remover.remove(Removal.ARCHIVE, age, limit);
  }

  @Override
  public int delete(Duration age, int limit) {
    return remover.remove(Removal.DELETE, age, limit);
  }

  @Override
  public int deleteArchived(Duration age, int limit) {
    return remover.remove(Removal.DELETE_ARCHIVED, age, limit);
  }

  @Override
  public int resume(int limit) {
    return remover.resume(limit);
  }

  @Override
  public Optional<Overdue> overdue(Duration age) {
    return jdbc.transaction(
        "find overdue instances",
        StatementTimeout.LONG,
        session -> {
          List<Long> ids = jdbc.dialect().findRemovable(session, age);
          Optional<Overdue> there =
              session.first(ENDED, Params.none().longs("ids", ids), SqlRetentionStore::overdue);
          return older(there, unfinished(session, age, false));
        });
  }

  @Override
  public Optional<Overdue> overdueArchived(Duration age) {
    return jdbc.transaction(
        "find overdue instances of the archive",
        StatementTimeout.LONG,
        session ->
            older(
                session.first(ARCHIVED, age(age), SqlRetentionStore::overdue),
                unfinished(session, age, true)));
  }

  private static Optional<Overdue> unfinished(SqlSession session, Duration age, boolean archived)
      throws SQLException {
    return session.first(
        UNFINISHED, age(age).set("archived", archived), SqlRetentionStore::overdue);
  }

  private static Overdue overdue(ResultSet row) throws SQLException {
    return new Overdue(row.getLong("id"), ColumnTimes.read(row, "ended_at"));
  }

  private static Optional<Overdue> older(Optional<Overdue> one, Optional<Overdue> other) {
    return Stream.of(one, other).flatMap(Optional::stream).min(comparing(Overdue::ended));
  }

  @Override
  public int deleteExecutors(Duration age, int limit) {
    return jdbc.run(
        "delete executors",
        StatementTimeout.LONG,
        session -> session.update(deleteExecutors, params(age, limit)));
  }

  @Override
  public int deleteAudit(Duration age, int limit) {
    return jdbc.run(
        "delete from the audit trail",
        StatementTimeout.LONG,
        session -> {
          List<Long> old = ids(session, OLD_AUDIT, age, limit);
          return old.isEmpty() ? 0 : session.update(DELETE_AUDIT, Params.none().longs("ids", old));
        });
  }

  /** Returns a query for old instances that no parent and no feature keeps. */
  static String findOld(SqlHooks hooks) {
    return FIND_OLD.replace(" KEEPING", hooks.keeping());
  }

  static List<Long> ids(SqlSession session, String sql, Duration age, int limit)
      throws SQLException {
    return session.query(sql, params(age, limit), row -> row.getLong("id"));
  }

  static Params params(Duration age, int limit) {
    return age(age).set("limit", limit);
  }

  private static Params age(Duration age) {
    return Params.of("age", ColumnTimes.micros(age));
  }
}
