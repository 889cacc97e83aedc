package io.millrace.store.sql;

import io.millrace.store.ChannelClaimRequest;
import io.millrace.store.ClaimRequest;
import io.millrace.store.HintChannel;
import io.millrace.store.InstanceStore.ProgressUpdate;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The dialect of H2, where a few more statements cost little since there is no network. */
final class H2Dialect implements Dialect {

  private static final Logger LOG = LoggerFactory.getLogger(H2Dialect.class);
  private static final int LOCK_TIMEOUT_MILLIS = 10_000;

  /**
   * A plan from the time when a table was nearly empty may read all of it when it has grown, so
   * plans are made again now and then; to make them takes far longer than to use them.
   */
  static final int LIMITS_PER_PLAN = 100;

  private final AtomicInteger lockWaitLimits = new AtomicInteger();

  @Override
  public String name() {
    return "h2";
  }

  @Override
  public String readOnly() {
    return "SELECT READONLY() AS read_only";
  }

  @Override
  public String now() {
    return "CURRENT_TIMESTAMP";
  }

  @Override
  public String skipLocked() {
    return " FOR UPDATE";
  }

  @Override
  public boolean hasSkipLocked() {
    return false;
  }

  @Override
  public boolean hasCorrelatedFrom() {
    return false;
  }

  @Override
  public boolean searchesViewsByArray() {
    return false;
  }

  @Override
  public boolean hasPartialIndexes() {
    return false;
  }

  /** Returns a merge, since H2 would run a subquery of a deletion once for each row. */
  @Override
  public String deletePart(String table, String owner, String key) {
    String same =
        Stream.of(key.split(", "))
            .map(column -> " AND t." + column + " = f." + column)
            .collect(Collectors.joining());
    return "MERGE INTO "
        + table
        + " t USING (SELECT "
        + key
        + " FROM "
        + table
        + RemovalTables.first(owner, key)
        + ") f ON (t."
        + owner
        + " = :id"
        + same
        + ") WHEN MATCHED THEN DELETE";
  }

  @Override
  public String onConflictDoNothing() {
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
  public String historyInCurrentSchema() {
    return "EXISTS (SELECT 1 FROM INFORMATION_SCHEMA.TABLES"
        + " WHERE TABLE_SCHEMA = SCHEMA() AND LOWER(TABLE_NAME) = 'millrace_schema')";
  }

  @Override
  public boolean migratesInOneTransaction() {
    return false;
  }

  @Override
  public String neededRights() {
    return "SELECT, INSERT, UPDATE and DELETE on the schema, and ALTER ANY SCHEMA to create tables";
  }

  @Override
  public void migrate(Jdbc jdbc, Migrations migrations, SchemaWait wait) {
    H2Migrator.migrate(jdbc, migrations, wait);
  }

  @Override
  public boolean interruptible() {
    return false;
  }

  @Override
  public void limitLockWait(SqlSession session, Duration wait) throws SQLException {
    int millis = Math.toIntExact(wait.toMillis());
    if (lockWaitLimits.incrementAndGet() % LIMITS_PER_PLAN == 0) {
      setLockTimeoutAndPlanAgain(session, millis);
    } else {
      setLockTimeout(session, millis);
    }
  }

  @Override
  public void endLockWaitLimit(SqlSession session) throws SQLException {
    setLockTimeout(session, LOCK_TIMEOUT_MILLIS);
  }

  private static void setLockTimeout(SqlSession session, int millis) throws SQLException {
    if (!H2Driver.setLockTimeout(session.connection(), millis)) {
      setLockTimeoutAndPlanAgain(session, millis);
    }
  }

  /** After this statement, H2 parses and plans every other one of all connections again. */
  private static void setLockTimeoutAndPlanAgain(SqlSession session, int millis)
      throws SQLException {
    session.update("SET LOCK_TIMEOUT " + millis, Params.none());
  }

  @Override
  public void limitIdleInTransaction(SqlSession session, int seconds) {}

  @Override
  public SessionTimeouts timeouts(SqlSession session) {
    return SessionTimeouts.NONE;
  }

  @Override
  public void preferIndexOrder(SqlSession session) {}

  @Override
  public boolean usersOnOneMachine() {
    return true;
  }

  /**
   * Changes two settings of the database. Without the longer lock timeout, a locked row times out
   * early. H2 forgets the write delay when it closes the database; it is set here for connections
   * on which {@link #requireDurableCommits} cannot reach the driver. There a killed process may
   * lose its last half second once the database was opened again.
   */
  @Override
  public void opened(SqlSession session) {
    try {
      session.update("SET WRITE_DELAY 0", Params.none());
      session.update("SET DEFAULT_LOCK_TIMEOUT " + LOCK_TIMEOUT_MILLIS, Params.none());
    } catch (SQLException e) {
      LOG.warn("H2 keeps its settings; a killed process may lose the last half second of work", e);
    }
  }

  @Override
  public void requireDurableCommits(SqlSession session) throws SQLException {
    H2Driver.writeCommitsAtOnce(session.connection());
  }

  @Override
  public void tune(PreparedStatement statement, String sql) {}

  @Override
  public HintChannel hints(DataSource dataSource, PoolMonitor poolMonitor) {
    return HintChannel.NONE;
  }

  @Override
  public void hint(SqlSession session, String executorGroup) {}

  @Override
  public List<InstanceClaimer.ClaimedRow> claim(SqlSession session, ClaimRequest request)
      throws SQLException {
    return H2InstanceClaimer.claim(session, request);
  }

  @Override
  public List<InstanceClaimer.ClaimedRow> claimForChannel(
      SqlSession session, ChannelClaimRequest request) throws SQLException {
    return H2InstanceClaimer.claimForChannel(session, request);
  }

  @Override
  public NextDue upcoming(SqlSession session, ClaimRequest request) throws SQLException {
    return H2InstanceClaimer.upcoming(session, request);
  }

  @Override
  public List<Long> lockRemovable(SqlSession session, Duration age, int limit) throws SQLException {
    return SqlRetentionStore.ids(
        session, SqlRetentionStore.findOld(session.hooks()) + skipLocked(), age, limit);
  }

  @Override
  public List<Long> findRemovable(SqlSession session, Duration age) throws SQLException {
    return SqlRetentionStore.ids(session, SqlRetentionStore.findOld(session.hooks()), age, 1);
  }

  @Override
  public String oldestDue() {
    return H2Sql.OLDEST_DUE;
  }

  /**
   * Inserts instances. Returns nothing if another transaction was faster; then its rows can be
   * found.
   */
  @Override
  public List<InstanceInserter.InsertedRow> insert(
      SqlSession session, List<InstanceInserter.NewRow> rows) throws SQLException {
    List<InstanceInserter.NewRow> unknown = InstanceInserter.unknown(session, rows);
    if (unknown.isEmpty()) {
      return List.of();
    }
    List<Long> ids =
        session.query(H2Sql.IDS, Params.of("count", unknown.size()), row -> row.getLong("id"));
    try {
      session.update(H2Sql.INSERT, InstanceInserter.params(unknown, ids));
    } catch (SQLException e) {
      if (SqlErrors.isDuplicate(e)) {
        return List.of();
      }
      throw e;
    }
    Instant now = SqlQueryStore.now(session);
    List<InstanceInserter.InsertedRow> inserted = new ArrayList<>();
    for (int i = 0; i < ids.size(); i++) {
      inserted.add(new InstanceInserter.InsertedRow(unknown.get(i), ids.get(i), now));
    }
    return inserted;
  }

  @Override
  public Map<Long, Integer> write(SqlSession session, List<TransitionWriter.IndexedSave> writes)
      throws SQLException {
    Map<Long, Integer> inboxCounts = new HashMap<>();
    session.forEachRow(
        H2Sql.WRITE,
        TransitionSql.params(writes),
        row -> inboxCounts.put(row.getLong("id"), row.getInt("inbox_count")));
    List<TransitionWriter.IndexedSave> accepted =
        writes.stream().filter(indexedSave -> inboxCounts.containsKey(indexedSave.id())).toList();
    if (!accepted.isEmpty()) {
      session.update(H2Sql.WRITE_HISTORY, TransitionSql.params(accepted));
    }
    return inboxCounts;
  }

  @Override
  public void progress(SqlSession session, List<ProgressUpdate> updates) throws SQLException {
    session.batch(
        H2Sql.PROGRESS,
        updates.stream()
            .map(update ->
                FenceSql.params(update.fence())
                    .set("done", update.progress().done())
                    .set("total", update.progress().total())
                    .set("text", ColumnTexts.reason(update.progress().text())))
            .toList());
  }

  @Override
  public void examine(SqlDoctor doctor, boolean tables) {
    H2Doctor.examine(doctor);
  }
}
