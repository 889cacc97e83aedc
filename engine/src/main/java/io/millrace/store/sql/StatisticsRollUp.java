package io.millrace.store.sql;

import io.millrace.store.StatisticsAggregator;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Counts started and ended instances, once each, from where the last transaction has stopped. */
final class StatisticsRollUp {

  private static final int BATCH = 10_000;

  private static final String MARKS =
      """
      SELECT name, reached_at, position FROM millrace_mark WHERE name IN ('rollUp.ended', 'rollUp.started')
      ORDER BY name
      """;

  private static final String STARTED =
      "SELECT id, type, created_at FROM millrace_instance WHERE id > :position ORDER BY id LIMIT"
          + " :limit";

  private static final String ENDED =
      """
      SELECT id, type, status, created_at, ended_at FROM millrace_instance
      WHERE ended_at IS NOT NULL AND ended_at >= :at AND ended_at < :horizon
        AND (ended_at > :at OR id > :position)
      ORDER BY ended_at, id LIMIT :limit
      """;

  private static final String ADD =
      """
      MERGE INTO millrace_statistics s
      USING (
        SELECT v.grain, CAST(v.bucket_at AS timestamp with time zone) AS bucket_at, v.type, v.started_count,
          v.finished_count, v.failed_count, v.cancelled_count, v.duration_micros
        FROM UNNEST(CAST(:grains AS varchar ARRAY), CAST(:buckets AS varchar ARRAY),
            CAST(:types AS varchar ARRAY), CAST(:started AS bigint ARRAY),
            CAST(:finished AS bigint ARRAY), CAST(:failed AS bigint ARRAY),
            CAST(:cancelled AS bigint ARRAY), CAST(:durations AS bigint ARRAY))
          AS v(grain, bucket_at, type, started_count, finished_count, failed_count, cancelled_count, duration_micros)) d
      ON s.grain = d.grain AND s.bucket_at = d.bucket_at AND s.type = d.type
      WHEN MATCHED THEN UPDATE SET started_count = s.started_count + d.started_count,
        finished_count = s.finished_count + d.finished_count, failed_count = s.failed_count + d.failed_count,
        cancelled_count = s.cancelled_count + d.cancelled_count, duration_micros = s.duration_micros + d.duration_micros
      WHEN NOT MATCHED THEN INSERT
        (grain, bucket_at, type, started_count, finished_count, failed_count, cancelled_count, duration_micros)
        VALUES (d.grain, d.bucket_at, d.type, d.started_count, d.finished_count, d.failed_count, d.cancelled_count, d.duration_micros)
      """;

  private static final String MOVE =
      "UPDATE millrace_mark SET reached_at = :at, position = :position WHERE name = :name";

  private static final String OLD = " WHERE grain = 'minute' AND bucket_at < :before";

  private static final String FIRST_TO_STAY =
      "SELECT bucket_at FROM millrace_statistics"
          + OLD
          + " ORDER BY grain, bucket_at, type OFFSET :limit ROWS FETCH FIRST 1 ROW ONLY";

  private static final String PRUNE = "DELETE FROM millrace_statistics" + OLD;

  private record Mark(Instant at, long position) {
    static Mark read(ResultSet row) throws SQLException {
      Instant at = ColumnTimes.readOrNull(row, "reached_at");
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
   * @param skipLocked end of the query that locks the marks, if no other transaction has
   */
  int run(String skipLocked) throws SQLException {
    Map<String, Mark> marks = new HashMap<>();
    session.forEachRow(
        MARKS + skipLocked, Params.none(), row -> marks.put(row.getString("name"), Mark.read(row)));
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
    prune();
    return counted;
  }

  /** Deletes old minutes; some of them only, if there are more rows than a batch. */
  private void prune() throws SQLException {
    Params params = Params.of("before", StatisticsAggregator.keptFrom(now)).set("limit", BATCH);
    Optional<Instant> firstToStay =
        session.first(FIRST_TO_STAY, params, row -> ColumnTimes.read(row, "bucket_at"));
    session.update(PRUNE, firstToStay.map(bucket -> params.set("before", bucket)).orElse(params));
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
                    row.getLong("id"), row.getString("type"), ColumnTimes.read(row, "created_at")));
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
    session.forEachRow(
        ENDED,
        Params.of("at", mark.at)
            .set("position", mark.position)
            .set("horizon", statisticsAggregator.horizon())
            .set("limit", BATCH),
        row -> {
          Instant ended = ColumnTimes.read(row, "ended_at");
          statisticsAggregator.ended(
              row.getString("type"),
              RowMappers.status(row.getString("status")),
              ColumnTimes.read(row, "created_at"),
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
