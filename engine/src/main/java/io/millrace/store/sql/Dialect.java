package io.millrace.store.sql;

import io.millrace.store.ChannelClaimRequest;
import io.millrace.store.ClaimRequest;
import io.millrace.store.HintChannel;
import io.millrace.store.InstanceStore.ProgressUpdate;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The differences between databases. */
interface Dialect {

  /** Returns the name in {@link SqlStore#printSchema} and of the folder of migrations. */
  String name();

  /** Returns a query of whether transactions of the session are read-only, as {@code read_only}. */
  String readOnly();

  /** Returns the database's time as an expression. */
  String now();

  /**
   * Returns the end of a query that locks rows and skips those that others have locked, as far as
   * the database {@link #hasSkipLocked has that}.
   */
  String skipLocked();

  /**
   * Returns true if queries can skip locked rows. Otherwise a transaction that locks several rows
   * has to lock them in the order in which all others do.
   */
  boolean hasSkipLocked();

  /**
   * Returns true if a subquery in FROM can refer to the rows of the query around it, and with
   * LATERAL to those of other tables in its FROM.
   */
  boolean hasCorrelatedFrom();

  /** Returns true if a view is searched for all values of an array as it is for a single one. */
  boolean searchesViewsByArray();

  /** Returns true if there are indexes of only those rows that meet a condition. */
  boolean hasPartialIndexes();

  /**
   * Returns a statement that deletes the first {@code :rows} rows of an owner.
   *
   * @param owner the column that is {@code :id}
   * @param key the columns that order the rows of an owner and distinguish them
   */
  String deletePart(String table, String owner, String key);

  /**
   * Returns the end of an insert that does nothing if its key exists; empty if that is an error
   * which leaves the transaction intact.
   */
  String onConflictDoNothing();

  /**
   * Returns true if each of these writes is one statement, so that it needs no transaction around
   * it: that of a claim, that of a start without further rows, and that of a save which changes
   * only the instance's row and history.
   */
  boolean writesInOneStatement();

  /** Returns the maximum number of elements in an array of a statement. */
  int longestArray();

  /** Returns true if a statement's time limit costs nothing to set. */
  boolean limitsStatements();

  /** Returns a condition on a row of {@link SchemaHistory}: its table is in the current schema. */
  String historyInCurrentSchema();

  /**
   * Returns true if all due migrations are one transaction, so that a failed one changes nothing.
   */
  boolean migratesInOneTransaction();

  /** Returns the rights that a user of the tables needs, for people. */
  String neededRights();

  /** Applies the due migrations, or waits for another process that does. */
  void migrate(Jdbc jdbc, Migrations migrations, SchemaWait wait);

  /** Returns the value of {@link io.millrace.store.Store#interruptible}. */
  boolean interruptible();

  /**
   * Returns true if all processes that use the database are on one machine, so that a process id
   * tells whether one of them still runs.
   */
  boolean usersOnOneMachine();

  /**
   * Limits how long the session's transaction waits for others. An insert of an external id waits
   * for every open transaction that has inserted it, which may be one of the application.
   */
  void limitLockWait(SqlSession session, Duration wait) throws SQLException;

  /** Ends a limit of the lock wait that outlasts its transaction. */
  void endLockWaitLimit(SqlSession session) throws SQLException;

  /**
   * Makes the database end the session's transaction when it receives nothing for {@code seconds}:
   * a process that is frozen or gone in the middle of it must not keep others from its rows.
   */
  void limitIdleInTransaction(SqlSession session, int seconds) throws SQLException;

  /**
   * Makes the session's transaction read rows in the order of an index if there is one, whatever
   * the statistics suggest.
   */
  void preferIndexOrder(SqlSession session) throws SQLException;

  /** Returns the timeouts that sessions have by default. */
  SessionTimeouts timeouts(SqlSession session) throws SQLException;

  /** Called once for a database that is opened. */
  void opened(SqlSession session) throws SQLException;

  /**
   * Makes the database keep each commit before it acknowledges it. Called for every session, since
   * a database that closes with its last connection may forget this.
   */
  void requireDurableCommits(SqlSession session) throws SQLException;

  /**
   * Called for every statement before it is executed.
   *
   * @param sql with its parameters' names
   */
  void tune(PreparedStatement statement, String sql) throws SQLException;

  /**
   * Returns a channel of hints through the database.
   *
   * @param poolMonitor the demand of the rest of the store for {@code dataSource}
   */
  HintChannel hints(DataSource dataSource, PoolMonitor poolMonitor);

  /** Sends a hint when the session's transaction commits. */
  void hint(SqlSession session, String executorGroup) throws SQLException;

  /** Claims due instances, in the order of priority, due time and id. */
  List<InstanceClaimer.ClaimedRow> claim(SqlSession session, ClaimRequest request)
      throws SQLException;

  /** Claims the instances that the request names and that still wait; in no order. */
  List<InstanceClaimer.ClaimedRow> claimForChannel(SqlSession session, ChannelClaimRequest request)
      throws SQLException;

  /**
   * Returns the time now and when the next instance becomes due, as far as that is cheap to
   * determine.
   */
  NextDue upcoming(SqlSession session, ClaimRequest request) throws SQLException;

  /**
   * Locks up to {@code limit} instances that ended longer ago than {@code age} and that retention
   * may remove, and returns their ids.
   */
  List<Long> lockRemovable(SqlSession session, Duration age, int limit) throws SQLException;

  /**
   * Finds one instance that {@link #lockRemovable} would lock, without a lock; empty if there is
   * none.
   */
  List<Long> findRemovable(SqlSession session, Duration age) throws SQLException;

  /** Returns a query for the due time of the longest-waiting instance, as {@code due}. */
  String oldestDue();

  /** Inserts instances except those whose external id exists. Returns the inserted ones. */
  List<InstanceInserter.InsertedRow> insert(SqlSession session, List<InstanceInserter.NewRow> rows)
      throws SQLException;

  /**
   * Writes the instances' rows and history where the fences hold. Returns the inbox counts of
   * those.
   */
  Map<Long, Integer> write(SqlSession session, List<TransitionWriter.IndexedSave> writes)
      throws SQLException;

  /**
   * Stores progress where the fences hold. Never waits for another transaction, where that is
   * possible.
   */
  void progress(SqlSession session, List<ProgressUpdate> updates) throws SQLException;

  /**
   * Runs the checks for a database of this kind.
   *
   * @param tables true if the tables exist
   */
  void examine(SqlDoctor doctor, boolean tables);

  /** The result of {@link #upcoming}. */
  record NextDue(Instant now, @Nullable Instant nextDue) {}
}
