package io.millrace.store.sql;

import io.millrace.store.StatisticsAggregator;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts started and ended instances, once each, from where the last transaction has stopped. */
final class StatisticsRollUp {

  private static final int BATCH = 10_000;

  private static final String MARKS =
      """
      SELECT name, at, position FROM millrace_mark WHERE name IN ('rollUp.ended', 'rollUp.started')
      ORDER BY name
      """;

  private static final String STARTED =
      "SELECT id, type, created FROM millrace_workflow WHERE id > :position ORDER BY id LIMIT"
          + " :limit";

  private static final String ENDED =
      """
      SELECT id, type, status, created, ended FROM millrace_workflow
      WHERE ended IS NOT NULL AND ended >= :at AND ended < :horizon
        AND (ended > :at OR id > :position)
      ORDER BY ended, id LIMIT :limit
      """;

  private static final String ADD =
      """
      MERGE INTO millrace_statistics s
      USING (
        SELECT v.grain, CAST(v.bucket AS timestamp with time zone) AS bucket, v.type, v.started,
          v.finished, v.failed, v.cancelled, v.duration
        FROM UNNEST(CAST(:grains AS varchar ARRAY), CAST(:buckets AS varchar ARRAY),
            CAST(:types AS varchar ARRAY), CAST(:started AS bigint ARRAY),
            CAST(:finished AS bigint ARRAY), CAST(:failed AS bigint ARRAY),
            CAST(:cancelled AS bigint ARRAY), CAST(:durations AS bigint ARRAY))
          AS v(grain, bucket, type, started, finished, failed, cancelled, duration)) d
      ON s.grain = d.grain AND s.bucket = d.bucket AND s.type = d.type
      WHEN MATCHED THEN UPDATE SET started = s.started + d.started,
        finished = s.finished + d.finished, failed = s.failed + d.failed,
        cancelled = s.cancelled + d.cancelled, duration = s.duration + d.duration
      WHEN NOT MATCHED THEN INSERT
        (grain, bucket, type, started, finished, failed, cancelled, duration)
        VALUES (d.grain, d.bucket, d.type, d.started, d.finished, d.failed, d.cancelled, d.duration)
      """;

  private static final String MOVE =
      "UPDATE millrace_mark SET at = :at, position = :position WHERE name = :name";

  private static final String PRUNE =
      """
      DELETE FROM millrace_statistics WHERE (grain, bucket, type) IN (
        SELECT grain, bucket, type FROM millrace_statistics
        WHERE grain = 'minute' AND bucket < :keptFrom ORDER BY grain, bucket, type LIMIT :limit)
      """;

  private record Mark(Instant at, long position) {
    static Mark read(ResultSet row) throws SQLException {
      Instant at = ColumnTimes.readOrNull(row, "at");
      return new Mark(at == null ? Instant.EPOCH : at, row.getLong("position"));
    }
  }

  private final SqlSession session;
  private final Instant now;
  private final StatisticsAggregator statisticsAggregator;
  private int counted;

  StatisticsRollUp(SqlSession session, Instant now) {
    this.session = session;
    this.now = now;
    this.statisticsAggregator = new StatisticsAggregator(now);
  }

  /**
   * Counts a batch. Returns the number of counted events.
   *
   * @param lockFree end of the query that locks the marks
   */
  int run(String lockFree) throws SQLException {
    Map<String, Mark> marks = new HashMap<>();
    session.visit(
        MARKS + lockFree, Params.none(), row -> marks.put(row.getString("name"), Mark.read(row)));
    Mark started = marks.get("rollUp.started");
    Mark ended = marks.get("rollUp.ended");
    if (started == null || ended == null) {
      return 0;
    }
    move("rollUp.started", countStarts(started));
    move("rollUp.ended", countEnds(ended));
    if (counted > 0) {
      add(List.copyOf(statisticsAggregator.counts().entrySet()));
    }
    session.update(
        PRUNE, Params.of("keptFrom", StatisticsAggregator.keptFrom(now)).set("limit", BATCH));
    return counted;
  }

  private record Start(long id, String type, Instant created) {}

  /** Counts up to the first start that is too new, so that none behind it is skipped. */
  private @Nullable Mark countStarts(Mark mark) throws SQLException {
    List<Start> starts =
        session.query(
            STARTED,
            Params.of("position", mark.position).set("limit", BATCH),
            row ->
                new Start(
                    row.getLong("id"), row.getString("type"), ColumnTimes.read(row, "created")));
    Mark last = null;
    for (Start start : starts) {
      if (!start.created.isBefore(statisticsAggregator.horizon())) {
        break;
      }
      statisticsAggregator.started(start.type, start.created);
      counted++;
      last = new Mark(start.created, start.id);
    }
    return last;
  }

  private @Nullable Mark countEnds(Mark mark) throws SQLException {
    List<Mark> ends = new ArrayList<>();
    session.visit(
        ENDED,
        Params.of("at", mark.at)
            .set("position", mark.position)
            .set("horizon", statisticsAggregator.horizon())
            .set("limit", BATCH),
        row -> {
          Instant ended = ColumnTimes.read(row, "ended");
          statisticsAggregator.ended(
              row.getString("type"),
              RowMappers.status(row.getString("status")),
              ColumnTimes.read(row, "created"),
              ended);
          ends.add(new Mark(ended, row.getLong("id")));
        });
    counted += ends.size();
    return ends.isEmpty() ? null : ends.getLast();
  }

  private void move(String name, @Nullable Mark mark) throws SQLException {
    if (mark != null) {
      session.update(
          MOVE, Params.of("name", name).set("at", mark.at).set("position", mark.position));
    }
  }

  private void add(List<Map.Entry<StatisticsAggregator.Key, StatisticsAggregator.Counts>> counts)
      throws SQLException {
    session.update(
        ADD,
        Params.none()
            .texts("grains", counts, e -> e.getKey().grain().code())
            .texts("buckets", counts, e -> e.getKey().bucket().toString())
            .texts("types", counts, e -> e.getKey().type())
            .longs("started", counts, e -> e.getValue().started())
            .longs("finished", counts, e -> e.getValue().finished())
            .longs("failed", counts, e -> e.getValue().failed())
            .longs("cancelled", counts, e -> e.getValue().cancelled())
            .longs("durations", counts, e -> e.getValue().micros()));
  }
}
