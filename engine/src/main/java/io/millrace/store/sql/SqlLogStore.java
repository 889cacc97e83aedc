package io.millrace.store.sql;

import io.millrace.instance.LogLine;
import io.millrace.store.LogStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The log lines of handlers in SQL. */
final class SqlLogStore implements LogStore {

  private static final String APPEND =
      """
      INSERT INTO millrace_log
        (instance_id, state, attempt, seq, executor_id, logged_at, level, logger, message)
      SELECT d.instance_id, d.state, d.attempt, d.seq, d.executor_id,
             CAST(d.logged_at AS timestamp with time zone), d.level, d.logger, d.message
      FROM (SELECT d.* FROM UNNEST(
              CAST(:numbers AS integer ARRAY), CAST(:instanceIds AS bigint ARRAY),
              CAST(:states AS varchar ARRAY), CAST(:attempts AS integer ARRAY),
              CAST(:seqs AS integer ARRAY), CAST(:executorIds AS bigint ARRAY),
              CAST(:ats AS varchar ARRAY), CAST(:levels AS varchar ARRAY),
              CAST(:loggers AS varchar ARRAY), CAST(:messages AS varchar ARRAY))
              AS d(number, instance_id, state, attempt, seq, executor_id, logged_at, level, logger, message)
      """
          + Params.EXPECT_FEW
          + """
          ) d JOIN millrace_instance w ON w.id = d.instance_id ORDER BY d.number
          """;

  private static final String LINES =
      """
      SELECT id, instance_id, state, attempt, seq, executor_id, logged_at, level, logger, message
      FROM millrace_log WHERE instance_id = :id AND id > :afterId\
      """
          + SqlQueryStore.THERE
          + " ORDER BY instance_id, id LIMIT :limit";

  private record Numbered(int number, LogLine line) {}

  private final Jdbc jdbc;

  SqlLogStore(Jdbc jdbc) {
    this.jdbc = jdbc;
  }

  @Override
  public void append(List<LogLine> lines) {
    if (lines.isEmpty()) {
      return;
    }
    List<Numbered> rows = new ArrayList<>(lines.size());
    lines.forEach(line -> rows.add(new Numbered(rows.size(), line)));
    Params params =
        Params.none()
            .ints("numbers", rows, Numbered::number)
            .longs("instanceIds", lines, LogLine::instanceId)
            .texts("states", lines, line -> ColumnTexts.state(line.place().state()))
            .ints("attempts", lines, line -> line.place().attempt())
            .ints("seqs", lines, line -> line.place().seq())
            .longs("executorIds", lines, line -> line.place().executorId())
            .texts("ats", lines, line -> ColumnTimes.text(line.at()))
            .texts("levels", lines, line -> ColumnTexts.level(line.level()))
            .texts("loggers", lines, line -> ColumnTexts.logger(line.logger()))
            .texts("messages", lines, line -> ColumnTexts.message(line.message()));
    jdbc.run("append log lines", session -> session.update(APPEND, params));
  }

  @Override
  public List<LogLine> lines(long instanceId, long afterId, int limit) {
    Params params = Params.of("id", instanceId).set("afterId", afterId).set("limit", limit);
    return jdbc.run("read log lines", session -> session.query(LINES, params, SqlLogStore::line));
  }

  private static LogLine line(ResultSet row) throws SQLException {
    return new LogLine(
        row.getLong("id"),
        row.getLong("instance_id"),
        new LogLine.Source(
            row.getString("state"),
            row.getInt("attempt"),
            row.getInt("seq"),
            RowMappers.longOrNull(row, "executor_id")),
        ColumnTimes.read(row, "logged_at"),
        row.getString("level"),
        row.getString("logger"),
        row.getString("message"));
  }
}
