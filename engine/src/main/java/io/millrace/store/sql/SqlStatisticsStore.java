package io.millrace.store.sql;

import io.millrace.instance.FailureGroup;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StateCount;
import io.millrace.instance.StateTiming;
import io.millrace.instance.StatisticsBucket;
import io.millrace.instance.TypeCount;
import io.millrace.store.StateTimings;
import io.millrace.store.StatisticsAggregator;
import io.millrace.store.StatisticsSeries;
import io.millrace.store.StatisticsStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The statistics in SQL. */
final class SqlStatisticsStore implements StatisticsStore {

  private static final String HELD = "CASE WHEN executor_id IS NULL THEN FALSE ELSE TRUE END";

  private static final String OPEN =
      """
      SELECT type, status, HELD AS held, COUNT(*) AS instances FROM millrace_instance
      WHERE ended_at IS NULL GROUP BY type, status, HELD
      UNION ALL
      SELECT type, status, FALSE, COUNT(*) FROM millrace_instance
      WHERE status = 'failed' GROUP BY type, status
      ORDER BY 1, 2
      """
          .replace("HELD", HELD);

  private static final String STATES =
      """
      SELECT version, state, status, HELD AS held, COUNT(*) AS instances FROM millrace_instance
      WHERE type = :type AND ended_at IS NULL GROUP BY version, state, status, HELD
      UNION ALL
      SELECT version, state, status, FALSE, COUNT(*) FROM millrace_instance
      WHERE status = 'failed' AND type = :type GROUP BY version, state, status
      ORDER BY 1, 2, 3
      """
          .replace("HELD", HELD);

  /**
   * Query for groups of failures, as one statement, so that an instance that is retried meanwhile
   * appears with the reason of its failure, not with that of the retry.
   */
  private static final String GROUPS =
      """
      SELECT g.failure_fingerprint, g.instances, n.id, n.type, n.state, n.reason,
        COALESCE(g.first_ended, o.modified_at) AS first_failed,
        COALESCE(g.last_ended, n.modified_at) AS last_failed
      FROM (
        SELECT f.failure_fingerprint, f.instances, f.newest, f.oldest, f.first_ended, f.last_ended FROM (
          SELECT failure_fingerprint, COUNT(*) AS instances, MAX(id) AS newest, MIN(id) AS oldest,
            MIN(ended_at) AS first_ended, MAX(ended_at) AS last_ended
          FROM millrace_instance WHERE failure_fingerprint IS NOT NULL GROUP BY failure_fingerprint) f
        WHERE CAST(:type AS varchar) IS NULL
          OR (SELECT t.type FROM millrace_instance t WHERE t.id = f.newest) = CAST(:type AS varchar)
        ORDER BY f.instances DESC, f.newest DESC LIMIT :limit) g
      JOIN millrace_instance n ON n.id = g.newest
      JOIN millrace_instance o ON o.id = g.oldest
      ORDER BY g.instances DESC, g.newest DESC
      """;

  private static final String COUNTED =
      """
      SELECT bucket_at, SUM(started_count) AS started_count, SUM(finished_count) AS finished_count, SUM(failed_count) AS failed_count,
        SUM(cancelled_count) AS cancelled_count, SUM(duration_micros) AS duration_micros
      FROM millrace_statistics
      WHERE grain = :grain AND bucket_at >= :from AND bucket_at < :to
        AND (CAST(:type AS varchar) IS NULL OR type = CAST(:type AS varchar))
      GROUP BY bucket_at
      """;

  private static final String ATTEMPTS =
      """
      SELECT from_state, to_state, type, started_at, ended_at FROM millrace_history
      WHERE instance_id = ANY(CAST(:ids AS bigint ARRAY))
        AND type IN ('stateExecution', 'stateExecutionFailed')
      LIMIT :limit
      """;

  private final Jdbc jdbc;

  SqlStatisticsStore(Jdbc jdbc) {
    this.jdbc = jdbc;
  }

  @Override
  public List<TypeCount> countsByType() {
    return jdbc.run(
        "count instances",
        StatementTimeout.LONG,
        session ->
            session.query(
                OPEN,
                Params.none(),
                row ->
                    new TypeCount(row.getString("type"), status(row), row.getLong("instances"))));
  }

  @Override
  public List<StateCount> countsByState(String type) {
    return jdbc.run(
        "count instances",
        StatementTimeout.LONG,
        session ->
            session.query(
                STATES,
                Params.of("type", type),
                row ->
                    new StateCount(
                        row.getInt("version"),
                        row.getString("state"),
                        status(row),
                        row.getLong("instances"))));
  }

  private static InstanceStatus status(ResultSet row) throws SQLException {
    return row.getBoolean("held")
        ? InstanceStatus.EXECUTING
        : RowMappers.status(row.getString("status"));
  }

  @Override
  public List<FailureGroup> failures(@Nullable String type, int limit) {
    return jdbc.run(
        "group failures",
        StatementTimeout.LONG,
        session ->
            session.query(
                GROUPS, Params.of("type", type).set("limit", limit), SqlStatisticsStore::group));
  }

  private static FailureGroup group(ResultSet row) throws SQLException {
    return new FailureGroup(
        row.getString("failure_fingerprint"),
        row.getString("type"),
        row.getString("state"),
        row.getLong("instances"),
        new FailureGroup.Newest(row.getLong("id"), row.getString("reason")),
        ColumnTimes.read(row, "first_failed"),
        ColumnTimes.read(row, "last_failed"));
  }

  @Override
  public List<StatisticsBucket> series(
      Instant from, Instant to, Duration bucketLength, @Nullable String type) {
    return jdbc.run(
        "read statistics",
        StatementTimeout.LONG,
        session -> {
          StatisticsSeries statisticsSeries =
              StatisticsSeries.of(from, to, bucketLength, SqlQueryStore.now(session));
          Params params =
              Params.of("grain", statisticsSeries.grain().code())
                  .set("from", ColumnTimes.limited(statisticsSeries.from()))
                  .set("to", ColumnTimes.limited(statisticsSeries.to()))
                  .set("type", type);
          return statisticsSeries.buckets(
              session.query(COUNTED, params, SqlStatisticsStore::counted));
        });
  }

  private static StatisticsSeries.TimedCounts counted(ResultSet row) throws SQLException {
    return new StatisticsSeries.TimedCounts(
        ColumnTimes.read(row, "bucket_at"),
        new StatisticsAggregator.Counts(
            row.getLong("started_count"),
            row.getLong("finished_count"),
            row.getLong("failed_count"),
            row.getLong("cancelled_count"),
            row.getLong("duration_micros")));
  }

  @Override
  public Optional<Instant> oldestDue() {
    return jdbc.run(
        "find what is due",
        StatementTimeout.LONG,
        session ->
            Optional.ofNullable(
                session
                    .query(
                        jdbc.dialect().oldestDue(),
                        Params.none(),
                        row -> new Oldest(ColumnTimes.readOrNull(row, "due")))
                    .getFirst()
                    .due));
  }

  private record Oldest(@Nullable Instant due) {}

  @Override
  public List<StateTiming> timings(String type, int sample) {
    int rows = Math.clamp(sample, 1, StateTimings.MAX_SAMPLES);
    return jdbc.transaction(
        "read how long handlers ran",
        StatementTimeout.LONG,
        session -> {
          List<Long> ids = SqlQueryStore.newest(session, type, rows);
          return StateTimings.of(
              session.query(
                  ATTEMPTS,
                  Params.of("limit", StateTimings.MAX_ATTEMPTS).longs("ids", ids),
                  SqlStatisticsStore::attempt));
        });
  }

  private static StateTimings.Attempt attempt(ResultSet row) throws SQLException {
    return new StateTimings.Attempt(
        row.getString("from_state"),
        row.getString("to_state"),
        HistoryEntryType.ofCode(row.getString("type")),
        Duration.between(ColumnTimes.read(row, "started_at"), ColumnTimes.read(row, "ended_at")));
  }

  @Override
  public int rollUp(Instant now) {
    return jdbc.transaction(
        "roll statistics up",
        StatementTimeout.LONG,
        session -> new StatisticsRollUp(session, now).run(jdbc.dialect().skipLocked()));
  }
}
