package io.millrace.store.sql;

import io.millrace.instance.ActionType;
import io.millrace.instance.InstanceStatus;
import io.millrace.store.Series;
import io.millrace.store.StatisticsStore;
import io.millrace.store.Tally;
import io.millrace.store.Timings;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Counts and sums. */
final class SqlStatistics implements StatisticsStore {

  private static final String HELD = "CASE WHEN executor_id IS NULL THEN FALSE ELSE TRUE END";

  private static final String OPEN =
      """
      SELECT type, status, HELD AS held, COUNT(*) AS instances FROM millrace_workflow
      WHERE ended IS NULL GROUP BY type, status, HELD
      UNION ALL
      SELECT type, status, FALSE, COUNT(*) FROM millrace_workflow
      WHERE status = 'failed' GROUP BY type, status
      ORDER BY 1, 2
      """
          .replace("HELD", HELD);

  private static final String STATES =
      """
      SELECT version, state, status, HELD AS held, COUNT(*) AS instances FROM millrace_workflow
      WHERE type = :type AND ended IS NULL GROUP BY version, state, status, HELD
      UNION ALL
      SELECT version, state, status, FALSE, COUNT(*) FROM millrace_workflow
      WHERE status = 'failed' AND type = :type GROUP BY version, state, status
      ORDER BY 1, 2, 3
      """
          .replace("HELD", HELD);

  private static final String GROUPS =
      """
      SELECT g.failure, g.instances, g.newest, g.oldest, g.first_ended, g.last_ended FROM (
        SELECT failure, COUNT(*) AS instances, MAX(id) AS newest, MIN(id) AS oldest,
          MIN(ended) AS first_ended, MAX(ended) AS last_ended
        FROM millrace_workflow WHERE failure IS NOT NULL GROUP BY failure) g
      WHERE CAST(:type AS varchar) IS NULL
        OR (SELECT n.type FROM millrace_workflow n WHERE n.id = g.newest) = CAST(:type AS varchar)
      ORDER BY g.instances DESC, g.newest DESC LIMIT :limit
      """;

  private static final String EXAMPLES =
      """
      SELECT id, type, state, reason, modified FROM millrace_workflow
      WHERE id = ANY(CAST(:ids AS bigint ARRAY))
      """;

  private static final String COUNTED =
      """
      SELECT bucket, SUM(started) AS started, SUM(finished) AS finished, SUM(failed) AS failed,
        SUM(cancelled) AS cancelled, SUM(duration) AS duration
      FROM millrace_statistics
      WHERE grain = :grain AND bucket >= :from AND bucket < :to
        AND (CAST(:type AS varchar) IS NULL OR type = CAST(:type AS varchar))
      GROUP BY bucket
      """;

  private static final String ATTEMPTS =
      """
      SELECT from_state, to_state, type, started, ended FROM millrace_workflow_action
      WHERE workflow_id = ANY(CAST(:ids AS bigint ARRAY))
        AND type IN ('stateExecution', 'stateExecutionFailed')
      LIMIT :limit
      """;

  private final Jdbc jdbc;

  SqlStatistics(Jdbc jdbc) {
    this.jdbc = jdbc;
  }

  @Override
  public List<TypeCount> open() {
    return jdbc.run(
        "count instances",
        Limit.LONG,
        session ->
            session.query(
                OPEN,
                Params.none(),
                row ->
                    new TypeCount(row.getString("type"), status(row), row.getLong("instances"))));
  }

  @Override
  public List<StateCount> states(String type) {
    return jdbc.run(
        "count instances",
        Limit.LONG,
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
    return row.getBoolean("held") ? InstanceStatus.EXECUTING : Rows.status(row.getString("status"));
  }

  @Override
  public List<FailureGroup> failures(@Nullable String type, int limit) {
    return jdbc.run("group failures", Limit.LONG, session -> failures(session, type, limit));
  }

  private record Group(
      String fingerprint,
      long count,
      long newest,
      long oldest,
      @Nullable Instant first,
      @Nullable Instant last) {
    static Group read(ResultSet row) throws SQLException {
      return new Group(
          row.getString("failure"),
          row.getLong("instances"),
          row.getLong("newest"),
          row.getLong("oldest"),
          Times.readOrNull(row, "first_ended"),
          Times.readOrNull(row, "last_ended"));
    }
  }

  private record Example(String type, String state, @Nullable String reason, Instant modified) {}

  private static List<FailureGroup> failures(Session session, @Nullable String type, int limit)
      throws SQLException {
    List<Group> groups =
        session.query(GROUPS, Params.of("type", type).set("limit", limit), Group::read);
    List<Long> ids = new ArrayList<>();
    groups.forEach(group -> ids.addAll(List.of(group.newest, group.oldest)));
    Map<Long, Example> examples = new HashMap<>();
    session.visit(
        EXAMPLES,
        Params.none().longs("ids", ids),
        row ->
            examples.put(
                row.getLong("id"),
                new Example(
                    row.getString("type"),
                    row.getString("state"),
                    row.getString("reason"),
                    Times.read(row, "modified"))));
    return groups.stream()
        .filter(group -> examples.keySet().containsAll(List.of(group.newest, group.oldest)))
        .map(group ->
            group(
                group,
                Objects.requireNonNull(examples.get(group.newest)),
                Objects.requireNonNull(examples.get(group.oldest))))
        .toList();
  }

  private static FailureGroup group(Group group, Example newest, Example oldest) {
    return new FailureGroup(
        group.fingerprint,
        newest.type,
        newest.state,
        group.count,
        new FailureGroup.Newest(group.newest, newest.reason),
        group.first != null ? group.first : oldest.modified,
        group.last != null ? group.last : newest.modified);
  }

  @Override
  public List<Bucket> series(Instant from, Instant to, Duration step, @Nullable String type) {
    return jdbc.run(
        "read statistics",
        Limit.LONG,
        session -> {
          Series series = Series.of(from, to, step, SqlQueries.now(session));
          Params params =
              Params.of("grain", series.grain().code())
                  .set("from", Times.limited(series.from()))
                  .set("to", Times.limited(series.to()))
                  .set("type", type);
          return series.buckets(session.query(COUNTED, params, SqlStatistics::counted));
        });
  }

  private static Series.Counted counted(ResultSet row) throws SQLException {
    return new Series.Counted(
        Times.read(row, "bucket"),
        new Tally.Counts(
            row.getLong("started"),
            row.getLong("finished"),
            row.getLong("failed"),
            row.getLong("cancelled"),
            row.getLong("duration")));
  }

  @Override
  public Optional<Instant> oldestDue() {
    return jdbc.run(
        "find what is due",
        Limit.LONG,
        session ->
            Optional.ofNullable(
                session
                    .query(
                        jdbc.dialect().oldestDue(),
                        Params.none(),
                        row -> new Oldest(Times.readOrNull(row, "due")))
                    .getFirst()
                    .due));
  }

  private record Oldest(@Nullable Instant due) {}

  @Override
  public List<StateTiming> timings(String type, int sample) {
    int rows = Math.clamp(sample, 1, Timings.MOST_SAMPLES);
    return jdbc.transaction(
        "read how long handlers ran",
        Limit.LONG,
        session -> {
          List<Long> ids = SqlQueries.newest(session, type, rows);
          return Timings.of(
              session.query(
                  ATTEMPTS,
                  Params.of("limit", Timings.MOST_ATTEMPTS).longs("ids", ids),
                  SqlStatistics::attempt));
        });
  }

  private static Timings.Attempt attempt(ResultSet row) throws SQLException {
    return new Timings.Attempt(
        row.getString("from_state"),
        row.getString("to_state"),
        ActionType.ofCode(row.getString("type")),
        Duration.between(Times.read(row, "started"), Times.read(row, "ended")));
  }

  @Override
  public int rollUp(Instant now) {
    return jdbc.transaction(
        "roll statistics up",
        Limit.LONG,
        session -> new RollUp(session, now).run(jdbc.dialect().lockFree()));
  }
}
