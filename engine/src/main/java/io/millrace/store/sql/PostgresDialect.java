package io.millrace.store.sql;

import io.millrace.store.ClaimRequest;
import io.millrace.store.Hints;
import io.millrace.store.TakeRequest;
import io.millrace.store.WorkStore.ProgressUpdate;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import javax.sql.DataSource;

/** PostgreSQL: set-based statements, and rows that others have locked are passed over. */
final class PostgresDialect implements Dialect {

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
  public String unlessThere() {
    return " ON CONFLICT DO NOTHING";
  }

  @Override
  public int longestArray() {
    return 200_000;
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
  public boolean embedded() {
    return false;
  }

  @Override
  public void limitLockWait(Session session, Duration wait) throws SQLException {
    session.update("SET LOCAL lock_timeout = '" + wait.toMillis() + "ms'", Params.none());
  }

  /** The limit ends with the transaction. */
  @Override
  public void endLockWaitLimit(Session session) {}

  @Override
  public void limitPauses(Session session, int seconds) throws SQLException {
    session.update(
        "SET LOCAL idle_in_transaction_session_timeout = '" + seconds + "s'", Params.none());
  }

  @Override
  public SessionTimeouts timeouts(Session session) throws SQLException {
    return SessionTimeouts.read(session);
  }

  /** What is switched off only looks expensive from then on, and would be compiled for that. */
  @Override
  public void preferOrder(Session session) throws SQLException {
    session.update(
        "SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off;"
            + " SET LOCAL enable_sort = off; SET LOCAL jit = off",
        Params.none());
  }

  @Override
  public void opened(Session session) {}

  @Override
  public void tune(PreparedStatement statement, String sql) throws SQLException {
    if (!PostgresSql.READING_NO_TABLE.contains(sql)) {
      PostgresDriver.planEachTime(statement);
    }
  }

  @Override
  public Hints hints(DataSource dataSource, Demand demand) {
    return PostgresHints.open(dataSource, demand);
  }

  @Override
  public void hint(Session session, String executorGroup) throws SQLException {
    PostgresHints.send(session.connection(), executorGroup);
  }

  @Override
  public List<Claims.Taken> claim(Session session, ClaimRequest request) throws SQLException {
    Params params =
        claimable(request).set("executorId", request.executorId()).set("limit", request.limit());
    List<Instant> dueFrom = request.dueFrom();
    List<Claims.Taken> taken =
        dueFrom.isEmpty()
            ? session.query(PostgresSql.CLAIM, params, Claims.Taken::read)
            : session.query(
                PostgresSql.CLAIM_FROM,
                params.texts("dueFrom", dueFrom.reversed(), Instant::toString),
                Claims.Taken::read);
    taken.sort(Claims.Taken.MOST_URGENT);
    return taken;
  }

  @Override
  public List<Claims.Taken> take(Session session, TakeRequest request) throws SQLException {
    return session.query(
        PostgresSql.TAKE,
        Takes.params(request)
            .set("executorId", request.executorId())
            .longs("ids", request.wanted(), TakeRequest.Wanted::instanceId)
            .ints("seqs", request.wanted(), TakeRequest.Wanted::seq),
        Claims.Taken::read);
  }

  @Override
  public Upcoming upcoming(Session session, ClaimRequest request) throws SQLException {
    return session
        .query(
            PostgresSql.UPCOMING,
            claimable(request),
            row -> new Upcoming(Times.read(row, "now"), Times.readOrNull(row, "next_due")))
        .getFirst();
  }

  @Override
  public List<Long> ended(Session session, Duration age, int limit) throws SQLException {
    return PostgresRetention.lock(session, age, limit);
  }

  @Override
  public String oldestDue() {
    return PostgresSql.OLDEST_DUE;
  }

  private static Params claimable(ClaimRequest request) {
    return Params.of("executorGroup", request.executorGroup())
        .ints("definitions", request.definitionIds(), id -> id);
  }

  @Override
  public List<Starts.Inserted> insert(Session session, List<Starts.Row> rows) throws SQLException {
    List<Long> places = LongStream.range(0, rows.size()).boxed().toList();
    boolean plain = Starts.arePlain(rows);
    return session.query(
        plain ? PostgresSql.INSERT_PLAIN : PostgresSql.INSERT,
        plain ? Starts.plainParams(rows, places) : Starts.params(rows, places),
        row ->
            new Starts.Inserted(
                rows.get(row.getInt("row_key")), row.getLong("id"), Times.read(row, "now")));
  }

  @Override
  public Map<Long, Integer> write(Session session, List<Saves.Write> writes) throws SQLException {
    boolean plain = Saves.Write.arePlain(writes);
    Map<Long, Integer> inboxes = new HashMap<>();
    session.visit(
        plain ? PostgresSql.WRITE_PLAIN : PostgresSql.WRITE,
        plain ? SaveSql.plainParams(writes) : SaveSql.params(writes),
        row -> inboxes.put(row.getLong("id"), row.getInt("inbox")));
    return inboxes;
  }

  @Override
  public void progress(Session session, List<ProgressUpdate> updates) throws SQLException {
    session.update(
        PostgresSql.PROGRESS,
        Params.none()
            .longs("ids", updates, update -> update.fence().instanceId())
            .longs("executorIds", updates, update -> update.fence().executorId())
            .ints("leaseVersions", updates, update -> update.fence().leaseVersion())
            .ints("seqs", updates, update -> update.fence().seq())
            .longs("dones", updates, update -> update.progress().done())
            .longs("totals", updates, update -> update.progress().total())
            .texts("texts", updates, update -> Texts.reason(update.progress().text())));
  }

  @Override
  public void examine(SqlDoctor doctor, boolean tables) {
    new PostgresDoctor(doctor).examine(tables);
  }
}
