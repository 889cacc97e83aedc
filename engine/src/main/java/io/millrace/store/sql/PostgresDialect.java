package io.millrace.store.sql;

import io.millrace.store.ClaimRequest;
import io.millrace.store.Hints;
import io.millrace.store.WorkStore.ProgressUpdate;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import javax.sql.DataSource;

/** PostgreSQL: set-based statements, and rows that others have locked are passed over. */
final class PostgresDialect implements Dialect {

  /**
   * The time comes from a scalar subquery, since an index cannot be searched with a volatile function.
   * The innermost limit stops the scan of a level, the outer one the walk over the levels.
   */
  private static final String CLAIM =
      """
      WITH clock AS MATERIALIZED (SELECT :now AS now),
      due AS MATERIALIZED (
        SELECT picked.id
        FROM generate_series(9, 0, -1) AS level(priority)
        CROSS JOIN LATERAL (
          SELECT w.id FROM millrace_workflow w
          WHERE w.executor_group = :executorGroup AND w.priority = level.priority
            AND w.next_activation <= (SELECT now FROM clock)
            AND w.executor_id IS NULL AND w.status IN ('created', 'inProgress')
            AND w.definition_id = ANY(CAST(:definitions AS integer ARRAY))
          ORDER BY w.next_activation, w.id
          LIMIT :limit
          FOR UPDATE SKIP LOCKED) picked
        LIMIT :limit),
      taken AS (
        UPDATE millrace_workflow w SET
          executor_id = :executorId,
          lease_version = w.lease_version + 1,
          attempt = w.attempt + 1,
          wake_at = NULL,
          modified = clock.now
        FROM due, clock
        WHERE w.id = due.id
        RETURNING
      """
          + Rows.INSTANCE
          + """
          , w.input, clock.now)
          SELECT * FROM taken ORDER BY priority DESC, next_activation, id
          """;

  private static final String UPCOMING =
      """
      SELECT clock.now, (
        SELECT MIN(soonest.next_activation)
        FROM generate_series(0, 9) AS level(priority)
        CROSS JOIN LATERAL (
          SELECT w.next_activation FROM millrace_workflow w
          WHERE w.executor_group = :executorGroup AND w.priority = level.priority
            AND w.next_activation > clock.now
            AND w.executor_id IS NULL AND w.status IN ('created', 'inProgress')
          ORDER BY w.next_activation, w.id
          LIMIT 1) soonest) AS next_due
      FROM (SELECT :now AS now) clock
      """;

  private static final String INSERT =
      "WITH d AS MATERIALIZED (SELECT nextval('millrace_workflow_id_seq') AS id, d.* FROM "
          + Starts.ROWS
          + "), i AS (INSERT INTO millrace_workflow ("
          + Starts.COLUMNS
          + ") SELECT d.id, "
          + Starts.VALUES
          + """
           FROM d ON CONFLICT DO NOTHING RETURNING id)
          SELECT d.row_key, d.id, d.now FROM d JOIN i ON i.id = d.id
          """;

  private static final String WRITE =
      "WITH d AS MATERIALIZED (SELECT d.* FROM "
          + SaveSql.ROWS
          + Params.LOOKED_UP
          + "), u AS (UPDATE millrace_workflow w SET "
          + SaveSql.ASSIGNMENTS
          + " FROM d WHERE "
          + SaveSql.FENCE
          + " RETURNING d.*, w.inbox AS inbox_after), a AS ("
          + SaveSql.INSERT_ACTIONS
          + " u d) SELECT u.id, u.inbox_after AS inbox FROM u";

  private static final String PROGRESS =
      """
      UPDATE millrace_workflow w SET progress_done = d.done, progress_total = d.total,
        progress_text = d.text, modified = :now
      FROM (
        SELECT w.id, d.done, d.total, d.text
        FROM (SELECT d.* FROM UNNEST(
          CAST(:ids AS bigint ARRAY), CAST(:executorIds AS bigint ARRAY),
          CAST(:leaseVersions AS integer ARRAY), CAST(:seqs AS integer ARRAY),
          CAST(:dones AS bigint ARRAY), CAST(:totals AS bigint ARRAY), CAST(:texts AS varchar ARRAY))
          AS d(id, executor_id, lease_version, seq, done, total, text)
      """
          + Params.LOOKED_UP
          + ") d JOIN millrace_workflow w ON "
          + SaveSql.FENCE
          + " FOR UPDATE OF w SKIP LOCKED) d WHERE w.id = d.id";

  @Override
  public String name() {
    return "postgresql";
  }

  @Override
  public String now() {
    return "clock_timestamp()";
  }

  @Override
  public String lockFree() {
    return " FOR UPDATE SKIP LOCKED";
  }

  @Override
  public boolean writesInOneStatement() {
    return true;
  }

  @Override
  public boolean limitsStatements() {
    return true;
  }

  @Override
  public boolean interruptible() {
    return true;
  }

  @Override
  public void opened(Session session) {}

  @Override
  public void tune(PreparedStatement statement) throws SQLException {
    PostgresDriver.planEachTime(statement);
  }

  @Override
  public Hints hints(DataSource dataSource) {
    return PostgresHints.open(dataSource);
  }

  @Override
  public void hint(Session session, String executorGroup) throws SQLException {
    PostgresHints.send(session.connection(), executorGroup);
  }

  @Override
  public List<Claims.Taken> claim(Session session, ClaimRequest request) throws SQLException {
    return session.query(
        CLAIM,
        Params.of("executorId", request.executorId())
            .set("executorGroup", request.executorGroup())
            .ints("definitions", request.definitionIds(), id -> id)
            .set("limit", request.limit()),
        Claims.Taken::read);
  }

  @Override
  public Upcoming upcoming(Session session, String executorGroup) throws SQLException {
    return session
        .query(
            UPCOMING,
            Params.of("executorGroup", executorGroup),
            row -> new Upcoming(Times.read(row, "now"), Times.readOrNull(row, "next_due")))
        .getFirst();
  }

  @Override
  public List<Starts.Inserted> insert(Session session, List<Starts.Row> rows) throws SQLException {
    List<Long> places = LongStream.range(0, rows.size()).boxed().toList();
    return session.query(
        INSERT,
        Starts.params(rows, places),
        row ->
            new Starts.Inserted(
                rows.get(row.getInt("row_key")), row.getLong("id"), Times.read(row, "now")));
  }

  @Override
  public Map<Long, Integer> write(Session session, List<Saves.Write> writes) throws SQLException {
    Map<Long, Integer> inboxes = new HashMap<>();
    session.visit(
        WRITE, SaveSql.params(writes), row -> inboxes.put(row.getLong("id"), row.getInt("inbox")));
    return inboxes;
  }

  @Override
  public void progress(Session session, List<ProgressUpdate> updates) throws SQLException {
    session.update(
        PROGRESS,
        Params.none()
            .longs("ids", updates, update -> update.fence().instanceId())
            .longs("executorIds", updates, update -> update.fence().executorId())
            .ints("leaseVersions", updates, update -> update.fence().leaseVersion())
            .ints("seqs", updates, update -> update.fence().seq())
            .longs("dones", updates, update -> update.progress().done())
            .longs("totals", updates, update -> update.progress().total())
            .texts("texts", updates, update -> Texts.reason(update.progress().text())));
  }
}
