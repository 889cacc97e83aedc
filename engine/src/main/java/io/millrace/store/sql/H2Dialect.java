package io.millrace.store.sql;

import io.millrace.store.ClaimRequest;
import io.millrace.store.Hints;
import io.millrace.store.WorkStore.ProgressUpdate;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** H2: an index is read in order only when ORDER BY names all its columns and no row is locked while reading. */
final class H2Dialect implements Dialect {

  private static final Logger LOG = LoggerFactory.getLogger(H2Dialect.class);

  private static final int TOP_PRIORITY = 9;

  private static final String CLAIMABLE =
      """
      FROM millrace_workflow
      WHERE claimable = TRUE AND executor_group = :executorGroup AND priority = :priority
      """;

  private static final String IN_ORDER =
      "ORDER BY claimable, executor_group, priority, next_activation, id LIMIT :limit";

  private static final String DUE =
      "SELECT id, lease_version "
          + CLAIMABLE
          + """
          AND next_activation <= :now AND definition_id = ANY(CAST(:definitions AS integer ARRAY))
          """
          + IN_ORDER;

  private static final String TAKE =
      """
      UPDATE millrace_workflow SET executor_id = :executorId, lease_version = lease_version + 1,
        attempt = attempt + 1, wake_at = NULL, modified = :now
      WHERE id = :id AND lease_version = :leaseVersion AND claimable = TRUE AND next_activation <= :now
      """;

  private static final String TAKEN =
      "SELECT "
          + Rows.INSTANCE
          + """
          , w.input, :now AS now FROM millrace_workflow w
          WHERE w.id = ANY(CAST(:ids AS bigint ARRAY))
          ORDER BY w.priority DESC, w.next_activation, w.id
          """;

  private static final String UPCOMING =
      "SELECT next_activation " + CLAIMABLE + " AND next_activation > :now " + IN_ORDER;

  private static final String IDS =
      "SELECT NEXT VALUE FOR millrace_workflow_id_seq AS id FROM SYSTEM_RANGE(1, :count)";

  private static final String INSERT =
      "INSERT INTO millrace_workflow ("
          + Starts.COLUMNS
          + ") SELECT d.row_key, "
          + Starts.VALUES
          + " FROM "
          + Starts.ROWS;

  private static final String WRITE =
      "SELECT id, inbox FROM FINAL TABLE (MERGE INTO millrace_workflow w USING "
          + SaveSql.ROWS
          + " ON ("
          + SaveSql.FENCE
          + ") WHEN MATCHED THEN UPDATE SET "
          + SaveSql.ASSIGNMENTS
          + ")";

  private static final String WRITE_ACTIONS = SaveSql.INSERT_ACTIONS + SaveSql.ROWS;

  private static final String PROGRESS =
      """
      UPDATE millrace_workflow SET progress_done = :done, progress_total = :total,
        progress_text = :text, modified = :now
      WHERE id = :id AND executor_id = :executorId AND lease_version = :leaseVersion AND seq = :seq
      """;

  private record Candidate(long id, int leaseVersion) {}

  @Override
  public String name() {
    return "h2";
  }

  @Override
  public String now() {
    return "CURRENT_TIMESTAMP";
  }

  @Override
  public String lockFree() {
    return " FOR UPDATE";
  }

  @Override
  public boolean writesInOneStatement() {
    return false;
  }

  @Override
  public boolean limitsStatements() {
    return false;
  }

  @Override
  public boolean interruptible() {
    return false;
  }

  /** Without these settings a killed process loses its last half second, and a busy row is given up early. */
  @Override
  public void opened(Session session) {
    try {
      session.update("SET WRITE_DELAY 0", Params.none());
      session.update("SET DEFAULT_LOCK_TIMEOUT 10000", Params.none());
    } catch (SQLException e) {
      LOG.warn("H2 keeps its settings; a killed process may lose the last half second of work", e);
    }
  }

  @Override
  public void tune(PreparedStatement statement) {}

  @Override
  public Hints hints(DataSource dataSource) {
    return Hints.NONE;
  }

  @Override
  public void hint(Session session, String executorGroup) {}

  @Override
  public List<Claims.Taken> claim(Session session, ClaimRequest request) throws SQLException {
    List<Candidate> due = new ArrayList<>();
    for (int priority = TOP_PRIORITY; priority >= 0 && due.size() < request.limit(); priority--) {
      due.addAll(
          session.query(
              DUE,
              level(request.executorGroup(), priority, request.limit() - due.size())
                  .ints("definitions", request.definitionIds(), id -> id),
              row -> new Candidate(row.getLong("id"), row.getInt("lease_version"))));
    }
    return due.isEmpty() ? List.of() : take(session, request.executorId(), due);
  }

  private static List<Claims.Taken> take(Session session, long executorId, List<Candidate> due)
      throws SQLException {
    List<Params> rows =
        due.stream()
            .map(
                candidate ->
                    Params.of("id", candidate.id)
                        .set("leaseVersion", candidate.leaseVersion)
                        .set("executorId", executorId))
            .toList();
    int[] counts = session.batch(TAKE, rows);
    List<Long> ids = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] == 1) {
        ids.add(due.get(i).id);
      }
    }
    return session.query(TAKEN, Params.none().longs("ids", ids), Claims.Taken::read);
  }

  @Override
  public Upcoming upcoming(Session session, String executorGroup) throws SQLException {
    Instant now = SqlQueries.now(session);
    @Nullable Instant next = null;
    for (int priority = TOP_PRIORITY; priority >= 0; priority--) {
      for (Instant time :
          session.query(
              UPCOMING,
              level(executorGroup, priority, 1),
              row -> Times.read(row, "next_activation"))) {
        next = next == null || time.isBefore(next) ? time : next;
      }
    }
    return new Upcoming(now, next);
  }

  private static Params level(String executorGroup, int priority, int limit) {
    return Params.of("executorGroup", executorGroup).set("priority", priority).set("limit", limit);
  }

  /** Answers with nothing when another transaction was faster; then its rows can be found. */
  @Override
  public List<Starts.Inserted> insert(Session session, List<Starts.Row> rows) throws SQLException {
    List<Starts.Row> unknown = Starts.unknown(session, rows);
    if (unknown.isEmpty()) {
      return List.of();
    }
    List<Long> ids =
        session.query(IDS, Params.of("count", unknown.size()), row -> row.getLong("id"));
    try {
      session.update(INSERT, Starts.params(unknown, ids));
    } catch (SQLException e) {
      if (SqlErrors.isDuplicate(e)) {
        return List.of();
      }
      throw e;
    }
    Instant now = SqlQueries.now(session);
    List<Starts.Inserted> inserted = new ArrayList<>();
    for (int i = 0; i < ids.size(); i++) {
      inserted.add(new Starts.Inserted(unknown.get(i), ids.get(i), now));
    }
    return inserted;
  }

  @Override
  public Map<Long, Integer> write(Session session, List<Saves.Write> writes) throws SQLException {
    Map<Long, Integer> inboxes = new HashMap<>();
    session.visit(
        WRITE, SaveSql.params(writes), row -> inboxes.put(row.getLong("id"), row.getInt("inbox")));
    List<Saves.Write> accepted =
        writes.stream().filter(write -> inboxes.containsKey(write.id())).toList();
    if (!accepted.isEmpty()) {
      session.update(WRITE_ACTIONS, SaveSql.params(accepted));
    }
    return inboxes;
  }

  @Override
  public void progress(Session session, List<ProgressUpdate> updates) throws SQLException {
    session.batch(
        PROGRESS,
        updates.stream()
            .map(
                update ->
                    Params.of("id", update.fence().instanceId())
                        .set("executorId", update.fence().executorId())
                        .set("leaseVersion", update.fence().leaseVersion())
                        .set("seq", update.fence().seq())
                        .set("done", update.progress().done())
                        .set("total", update.progress().total())
                        .set("text", Texts.reason(update.progress().text())))
            .toList());
  }
}
