package io.millrace.store;

import io.millrace.instance.DrainRequest;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.ExecutorState;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StopReason;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Executors and their leases. All times are the database's. */
public interface ExecutorStore {

  /**
   * Adds an executor whose lease runs for {@code ttl} from now. In an embedded database, which
   * serves one machine, the leases of this machine's dead processes end at once, so that a restart
   * need not wait for them.
   */
  long register(ExecutorInfo.Identity identity, Duration ttl);

  /**
   * Extends the executor's lease to {@code ttl} from now, and tells what it has to do. A row that
   * another process has registered under the same id, as after a restore of the database, counts as
   * gone.
   */
  Renewal renew(long executorId, Duration ttl, ExecutorInfo.Load load);

  /** Writes down which stored definitions an executor can run from now on. */
  void updateDefinitions(long executorId, List<Integer> definitionIds);

  /**
   * Stores which background loops of an executor's process have failed, for the doctor.
   *
   * @param failures a text for operators, at most 2000 characters
   */
  void reportLoopFailures(long executorId, String failures);

  /** Writes down that an executor is ready for work, which counts from the first time. */
  void markReady(long executorId, boolean warm, Duration setup);

  /**
   * Asks an executor to take no new work, and to go on with what it holds; it learns of that with
   * its next heartbeat. Is written into the audit trail in the same transaction, once.
   *
   * @return false when there is no such executor, or it is on its way out
   */
  boolean cordon(long executorId, OperatorAction action);

  /**
   * Lets a cordoned executor take new work again; the reverse of {@link #cordon}.
   *
   * @return false when there is no such executor, or it is on its way out
   */
  boolean uncordon(long executorId, OperatorAction action);

  /**
   * Asks an executor to stop in good order; it learns of that with its next heartbeat. The first
   * request stands, and is written into the audit trail in the same transaction.
   *
   * @param action who asks, and why
   * @return false when there is no such executor, or it has stopped
   */
  boolean requestDrain(long executorId, DrainRequest request, OperatorAction action);

  /** Writes down that an executor has begun to stop by itself; a request that was made stands. */
  void recordStopping(long executorId, DrainRequest request, String by);

  /** The lease version of every instance that the executor holds according to the database. */
  Map<Long, Integer> leasedInstances(long executorId);

  /** Executors of the group whose lease has ended and that still need recovery. */
  List<Long> expired(String executorGroup);

  /**
   * Executors that have been cleaned up and hold instances of the group all the same, by a claim
   * that was carried out too late. To be asked seldom: this looks through all that is held.
   */
  List<Long> recoveredWithLeases(String executorGroup);

  /**
   * Takes a page of instances from a dead executor; each becomes claimable again, or is parked as
   * manual when its holder died {@code maxRecoveries} times in a row. Does nothing when the
   * executor's lease runs again. Marks the executor recovered when nothing is left.
   *
   * @param byExecutorId who recovers
   * @return what was taken; fewer than {@code limit} when nothing is left
   */
  List<Recovered> recover(long deadExecutorId, long byExecutorId, int limit, int maxRecoveries);

  /** Marks the executor as drained and ends its lease. */
  void markStopped(long executorId);

  /** Returns the stored executors of a group, newest first. */
  List<ExecutorInfo> list(String executorGroup);

  /**
   * The executors of all groups, newest first, without those that stopped or were recovered longer
   * ago than {@code gone}.
   */
  List<ExecutorInfo> all(Duration gone);

  /**
   * The result of a heartbeat.
   *
   * @param found false when the executor's row is gone or belongs to another process
   * @param state what the row calls it; that of a new one when the row is gone
   * @param drain what it was asked to do; null when it was not asked to stop
   */
  record Renewal(boolean found, ExecutorState state, @Nullable DrainOrder drain) {
    /** The executor's row was deleted. */
    public static final Renewal GONE = new Renewal(false, ExecutorState.ACTIVE, null);
  }

  /**
   * A stop that was asked for.
   *
   * @param left from this heartbeat until the deadline, by the database's clock; never negative
   */
  record DrainOrder(String by, StopReason reason, Duration left) {}

  /** An instance taken from a dead executor. */
  record Recovered(long instanceId, boolean parked) {}
}
