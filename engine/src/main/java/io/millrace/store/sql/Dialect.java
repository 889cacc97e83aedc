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

/** All that differs between databases. */
interface Dialect {

  /** The name in {@link SqlStore#printSchema} and of the folder of migrations. */
  String name();

  /** A query of whether transactions of the session can only read, as {@code read_only}. */
  String readOnly();

  /** The database's time as an expression. */
  String now();

  /**
   * Ends a query that locks rows and passes over those that others have locked, where that is
   * possible.
   */
  String skipLocked();

  /**
   * Ends an insert that does nothing where its key is there already; empty where that is an error
   * which leaves the transaction whole.
   */
  String onConflictDoNothing();

  /**
   * True when a claim is one statement, and a save that changes only the instance's row and history
   * as well.
   */
  boolean writesInOneStatement();

  /** How many elements an array of a statement is given at most. */
  int longestArray();

  /** True when a statement's time limit costs nothing to set. */
  boolean limitsStatements();

  /** See {@link io.millrace.store.Store#interruptible}. */
  boolean interruptible();

  /** True when the database runs inside a process, so that all who use it are on its machine. */
  boolean embedded();

  /**
   * Limits how long the session's transaction waits for others: an insert of an external id waits
   * for every open transaction that has inserted it, and that may be one of the application.
   */
  void limitLockWait(SqlSession sqlSession, Duration wait) throws SQLException;

  /** Ends a limit of the lock wait that outlasts its transaction. */
  void endLockWaitLimit(SqlSession sqlSession) throws SQLException;

  /**
   * Lets the database end the session's transaction when nothing comes for {@code seconds}: whoever
   * is frozen or gone in the middle of it must not keep others from its rows.
   */
  void limitIdleInTransaction(SqlSession sqlSession, int seconds) throws SQLException;

  /**
   * Has the session's transaction read rows in the order of an index where there is one, whatever
   * the statistics make of it.
   */
  void preferIndexOrder(SqlSession sqlSession) throws SQLException;

  /** Returns the timeouts that sessions have by themselves. */
  SessionTimeouts timeouts(SqlSession sqlSession) throws SQLException;

  /** Called once for a database that is opened. */
  void opened(SqlSession sqlSession) throws SQLException;

  /**
   * Called for every statement before it is executed.
   *
   * @param sql with its parameters' names
   */
  void tune(PreparedStatement statement, String sql) throws SQLException;

  /**
   * Hints through the database.
   *
   * @param poolMonitor what the rest of the store wants of {@code dataSource}
   */
  HintChannel hints(DataSource dataSource, PoolMonitor poolMonitor);

  /** Sends a hint when the session's transaction commits. */
  void hint(SqlSession sqlSession, String executorGroup) throws SQLException;

  /** Reserves due instances, in the order of priority, due time and id. */
  List<InstanceClaimer.ClaimedRow> claim(SqlSession sqlSession, ClaimRequest request)
      throws SQLException;

  /** Reserves instances that are asked for, where they wait; in no order. */
  List<InstanceClaimer.ClaimedRow> take(SqlSession sqlSession, ChannelClaimRequest request)
      throws SQLException;

  /** The time now and when the next instance becomes due, as far as it can be told cheaply. */
  NextDue upcoming(SqlSession sqlSession, ClaimRequest request) throws SQLException;

  /**
   * Locks up to {@code limit} instances that ended longer ago than {@code age} and that retention
   * may remove, and returns their ids.
   */
  List<Long> ended(SqlSession sqlSession, Duration age, int limit) throws SQLException;

  /** Finds one instance that {@link #ended} would lock, without a lock; empty if there is none. */
  List<Long> overdue(SqlSession sqlSession, Duration age) throws SQLException;

  /** A query of the time since when the instance that has waited longest is {@code due}. */
  String oldestDue();

  /** Inserts instances except those whose external id exists; answers with the inserted ones. */
  List<InstanceInserter.InsertedRow> insert(
      SqlSession sqlSession, List<InstanceInserter.NewRow> rows) throws SQLException;

  /**
   * Writes the instances' rows and history where the fences hold; answers with the inbox counts of
   * those.
   */
  Map<Long, Integer> write(SqlSession sqlSession, List<TransitionWriter.IndexedSave> writes)
      throws SQLException;

  /**
   * Stores progress where the fences hold; never waits for another transaction, where that is
   * possible.
   */
  void progress(SqlSession sqlSession, List<ProgressUpdate> updates) throws SQLException;

  /**
   * Asks what can be wrong with a database of this kind.
   *
   * @param tables whether the tables are there
   */
  void examine(SqlDoctor doctor, boolean tables);

  /** The answer to {@link #upcoming}. */
  record NextDue(Instant now, @Nullable Instant nextDue) {}
}
