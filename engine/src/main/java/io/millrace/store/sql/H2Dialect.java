package io.millrace.store.sql;

import io.millrace.store.ClaimRequest;
import io.millrace.store.Hints;
import io.millrace.store.TakeRequest;
import io.millrace.store.WorkStore.ProgressUpdate;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** H2: everything is near, so a few more statements cost little. */
final class H2Dialect implements Dialect {

  private static final Logger LOG = LoggerFactory.getLogger(H2Dialect.class);
  private static final int LOCK_TIMEOUT_MILLIS = 10_000;

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
  public String unlessThere() {
    return "";
  }

  @Override
  public int longestArray() {
    return 60_000;
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

  @Override
  public void limitLockWait(Session session, Duration wait) throws SQLException {
    session.update("SET LOCK_TIMEOUT " + wait.toMillis(), Params.none());
  }

  @Override
  public void endLockWaitLimit(Session session) throws SQLException {
    session.update("SET LOCK_TIMEOUT " + LOCK_TIMEOUT_MILLIS, Params.none());
  }

  @Override
  public void limitPauses(Session session, int seconds) {}

  @Override
  public SessionTimeouts timeouts(Session session) {
    return SessionTimeouts.NONE;
  }

  @Override
  public void preferOrder(Session session) {}

  @Override
  public boolean embedded() {
    return true;
  }

  /**
   * Without these settings a killed process loses its last half second, and a busy row is given up
   * early.
   */
  @Override
  public void opened(Session session) {
    try {
      session.update("SET WRITE_DELAY 0", Params.none());
      session.update("SET DEFAULT_LOCK_TIMEOUT " + LOCK_TIMEOUT_MILLIS, Params.none());
    } catch (SQLException e) {
      LOG.warn("H2 keeps its settings; a killed process may lose the last half second of work", e);
    }
  }

  @Override
  public void tune(PreparedStatement statement, String sql) {}

  @Override
  public Hints hints(DataSource dataSource, Demand demand) {
    return Hints.NONE;
  }

  @Override
  public void hint(Session session, String executorGroup) {}

  @Override
  public List<Claims.Taken> claim(Session session, ClaimRequest request) throws SQLException {
    return H2Claim.claim(session, request);
  }

  @Override
  public List<Claims.Taken> take(Session session, TakeRequest request) throws SQLException {
    return H2Claim.take(session, request);
  }

  @Override
  public Upcoming upcoming(Session session, ClaimRequest request) throws SQLException {
    return H2Claim.upcoming(session, request);
  }

  @Override
  public List<Long> ended(Session session, Duration age, int limit) throws SQLException {
    return SqlRetention.ids(session, SqlRetention.OLD, age, limit);
  }

  @Override
  public String oldestDue() {
    return H2Sql.OLDEST_DUE;
  }

  /** Answers with nothing when another transaction was faster; then its rows can be found. */
  @Override
  public List<Starts.Inserted> insert(Session session, List<Starts.Row> rows) throws SQLException {
    List<Starts.Row> unknown = Starts.unknown(session, rows);
    if (unknown.isEmpty()) {
      return List.of();
    }
    List<Long> ids =
        session.query(H2Sql.IDS, Params.of("count", unknown.size()), row -> row.getLong("id"));
    try {
      session.update(H2Sql.INSERT, Starts.params(unknown, ids));
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
        H2Sql.WRITE,
        SaveSql.params(writes),
        row -> inboxes.put(row.getLong("id"), row.getInt("inbox")));
    List<Saves.Write> accepted =
        writes.stream().filter(write -> inboxes.containsKey(write.id())).toList();
    if (!accepted.isEmpty()) {
      session.update(H2Sql.WRITE_ACTIONS, SaveSql.params(accepted));
    }
    return inboxes;
  }

  @Override
  public void progress(Session session, List<ProgressUpdate> updates) throws SQLException {
    session.batch(
        H2Sql.PROGRESS,
        updates.stream()
            .map(update ->
                Params.of("id", update.fence().instanceId())
                    .set("executorId", update.fence().executorId())
                    .set("leaseVersion", update.fence().leaseVersion())
                    .set("seq", update.fence().seq())
                    .set("done", update.progress().done())
                    .set("total", update.progress().total())
                    .set("text", Texts.reason(update.progress().text())))
            .toList());
  }

  @Override
  public void examine(SqlDoctor doctor, boolean tables) {
    H2Doctor.examine(doctor);
  }
}
