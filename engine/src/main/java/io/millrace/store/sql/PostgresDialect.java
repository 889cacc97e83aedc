package io.millrace.store.sql;

import io.millrace.store.ChannelClaimRequest;
import io.millrace.store.ClaimRequest;
import io.millrace.store.HintChannel;
import io.millrace.store.InstanceStore.ProgressUpdate;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import javax.sql.DataSource;

/**
 * The dialect of PostgreSQL: statements on sets of rows, which skip rows that others have locked.
 */
final class PostgresDialect implements Dialect {

  private static final String TIMEOUTS =
      """
      SELECT name, CAST(setting AS bigint) AS millis FROM pg_settings
      WHERE name = ANY(CAST(:names AS text ARRAY)) AND setting <> '0'
      """;

  @Override
  public String name() {
    return "postgresql";
  }

  /** Returns the query. On a standby all transactions are read-only. */
  @Override
  public String readOnly() {
    return "SELECT CURRENT_SETTING('transaction_read_only') = 'on' AS read_only";
  }

  @Override
  public String now() {
    return "clock_timestamp()";
  }

  @Override
  public String skipLocked() {
    return " FOR UPDATE SKIP LOCKED";
  }

  @Override
  public boolean hasSkipLocked() {
    return true;
  }

  @Override
  public boolean hasCorrelatedFrom() {
    return true;
  }

  @Override
  public boolean searchesViewsByArray() {
    return true;
  }

  @Override
  public boolean hasPartialIndexes() {
    return true;
  }

  /** Returns a statement that finds rows by their place, however many it believes there are. */
  @Override
  public String deletePart(String table, String owner, String key) {
    return "DELETE FROM "
        + table
        + " WHERE ctid = ANY(ARRAY(SELECT ctid FROM "
        + table
        + RemovalTables.first(owner, key)
        + "))";
  }

  @Override
  public String onConflictDoNothing() {
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
  public String historyInCurrentSchema() {
    return "tableoid = TO_REGCLASS(QUOTE_IDENT(CURRENT_SCHEMA()) || '.millrace_schema')";
  }

  @Override
  public boolean migratesInOneTransaction() {
    return true;
  }

  @Override
  public String neededRights() {
    return "SELECT, INSERT, UPDATE and DELETE on all tables of the schema; to update tables, the user"
        + " must own them";
  }

  @Override
  public void migrate(Jdbc jdbc, Migrations migrations, SchemaWait wait) {
    PostgresMigrator.migrate(jdbc, migrations, wait);
  }

  @Override
  public boolean interruptible() {
    return true;
  }

  @Override
  public boolean usersOnOneMachine() {
    return false;
  }

  @Override
  public void limitLockWait(SqlSession session, Duration wait) throws SQLException {
    session.update("SET LOCAL lock_timeout = '" + wait.toMillis() + "ms'", Params.none());
  }

  /** Does nothing, since the limit ends with the transaction. */
  @Override
  public void endLockWaitLimit(SqlSession session) {}

  @Override
  public void limitIdleInTransaction(SqlSession session, int seconds) throws SQLException {
    session.update(
        "SET LOCAL idle_in_transaction_session_timeout = '" + seconds + "s'", Params.none());
  }

  @Override
  public SessionTimeouts timeouts(SqlSession session) throws SQLException {
    Map<String, Long> found = new TreeMap<>();
    session.forEachRow(
        TIMEOUTS,
        Params.none().texts("names", SessionTimeouts.NAMES, name -> name),
        row -> found.put(row.getString("name"), row.getLong("millis")));
    return new SessionTimeouts(found);
  }

  /**
   * Disables other plans, and JIT with them: a disabled plan that is used all the same looks
   * expensive, and would be compiled for that.
   */
  @Override
  public void preferIndexOrder(SqlSession session) throws SQLException {
    session.update(
        "SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off;"
            + " SET LOCAL enable_sort = off; SET LOCAL jit = off",
        Params.none());
  }

  @Override
  public void opened(SqlSession session) {}

  /** Does nothing, since that is the default of a server. */
  @Override
  public void requireDurableCommits(SqlSession session) {}

  @Override
  public void tune(PreparedStatement statement, String sql) throws SQLException {
    if (!PostgresSql.READING_NO_TABLE.contains(sql)) {
      PostgresDriver.planEachTime(statement);
    }
  }

  @Override
  public HintChannel hints(DataSource dataSource, PoolMonitor poolMonitor) {
    return PostgresHintChannel.open(dataSource, poolMonitor);
  }

  @Override
  public void hint(SqlSession session, String executorGroup) throws SQLException {
    PostgresHintChannel.send(session.connection(), executorGroup);
  }

  @Override
  public List<InstanceClaimer.ClaimedRow> claim(SqlSession session, ClaimRequest request)
      throws SQLException {
    Params params =
        claimable(request).set("executorId", request.executorId()).set("limit", request.limit());
    List<Instant> dueFrom = request.dueFrom();
    List<InstanceClaimer.ClaimedRow> taken =
        dueFrom.isEmpty()
            ? session.query(PostgresSql.CLAIM, params, InstanceClaimer.ClaimedRow::read)
            : session.query(
                PostgresSql.CLAIM_FROM,
                params.texts("dueFrom", dueFrom.reversed(), Instant::toString),
                InstanceClaimer.ClaimedRow::read);
    taken.sort(InstanceClaimer.ClaimedRow.BY_URGENCY);
    return taken;
  }

  @Override
  public List<InstanceClaimer.ClaimedRow> claimForChannel(
      SqlSession session, ChannelClaimRequest request) throws SQLException {
    return session.query(
        PostgresSql.CLAIM_FOR_CHANNEL,
        ChannelClaimer.params(request)
            .set("executorId", request.executorId())
            .longs("ids", request.named(), ChannelClaimRequest.Candidate::instanceId)
            .ints("seqs", request.named(), ChannelClaimRequest.Candidate::seq),
        InstanceClaimer.ClaimedRow::read);
  }

  @Override
  public NextDue upcoming(SqlSession session, ClaimRequest request) throws SQLException {
    return session
        .query(
            PostgresSql.UPCOMING,
            claimable(request),
            row ->
                new NextDue(ColumnTimes.read(row, "now"), ColumnTimes.readOrNull(row, "next_due")))
        .getFirst();
  }

  @Override
  public List<Long> lockRemovable(SqlSession session, Duration age, int limit) throws SQLException {
    return PostgresRetention.lock(session, age, limit);
  }

  @Override
  public List<Long> findRemovable(SqlSession session, Duration age) throws SQLException {
    return PostgresRetention.find(session, age);
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
  public List<InstanceInserter.InsertedRow> insert(
      SqlSession session, List<InstanceInserter.NewRow> rows) throws SQLException {
    List<Long> places = LongStream.range(0, rows.size()).boxed().toList();
    boolean plain = InstanceInserter.arePlain(rows);
    return session.query(
        plain ? PostgresSql.INSERT_PLAIN : PostgresSql.INSERT,
        plain ? InstanceInserter.plainParams(rows, places) : InstanceInserter.params(rows, places),
        row ->
            new InstanceInserter.InsertedRow(
                rows.get(row.getInt("row_key")), row.getLong("id"), ColumnTimes.read(row, "now")));
  }

  @Override
  public Map<Long, Integer> write(SqlSession session, List<TransitionWriter.IndexedSave> writes)
      throws SQLException {
    boolean plain = TransitionWriter.IndexedSave.arePlain(writes);
    Map<Long, Integer> inboxCounts = new HashMap<>();
    session.forEachRow(
        plain ? PostgresSql.WRITE_PLAIN : PostgresSql.WRITE,
        plain ? TransitionSql.plainParams(writes) : TransitionSql.params(writes),
        row -> inboxCounts.put(row.getLong("id"), row.getInt("inbox_count")));
    return inboxCounts;
  }

  @Override
  public void progress(SqlSession session, List<ProgressUpdate> updates) throws SQLException {
    session.update(
        PostgresSql.PROGRESS,
        Params.none()
            .longs("ids", updates, update -> update.fence().instanceId())
            .longs("executorIds", updates, update -> update.fence().executorId())
            .ints("leaseVersions", updates, update -> update.fence().leaseVersion())
            .ints("seqs", updates, update -> update.fence().seq())
            .longs("dones", updates, update -> update.progress().done())
            .longs("totals", updates, update -> update.progress().total())
            .texts("texts", updates, update -> ColumnTexts.reason(update.progress().text())));
  }

  @Override
  public void examine(SqlDoctor doctor, boolean tables) {
    new PostgresDoctor(doctor).examine(tables);
  }
}
