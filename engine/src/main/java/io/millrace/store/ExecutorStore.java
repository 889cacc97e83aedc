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
   * Extends the executor's lease to {@code ttl} from now, and returns its requests. A row that
   * another process has registered under the same id, as after a restore of the database, counts as
   * missing.
   */
  Renewal renew(long executorId, Duration ttl, ExecutorInfo.Load load);

  /** Records which stored definitions an executor can run from now on. */
  void updateDefinitions(long executorId, List<Integer> definitionIds);

  /**
   * Stores which background loops of an executor's process have failed, for the doctor.
   *
   * @param failures a text for operators, at most 2000 characters
   */
  void reportLoopFailures(long executorId, String failures);

  /** Records that an executor is ready for work; the time of the first call counts. */
  void markReady(long executorId, boolean warm, Duration setup);

  /**
   * Asks an executor to claim no new work and to continue the instances it holds. It learns of that
   * with its next heartbeat. Written to the audit trail in the same transaction, once.
   *
   * @return false if there is no such executor, or it is stopping
   */
  boolean cordon(long executorId, OperatorAction action);

  /**
   * Lets a cordoned executor claim new work again; the reverse of {@link #cordon}.
   *
   * @return false if there is no such executor, or it is stopping
   */
  boolean uncordon(long executorId, OperatorAction action);

  /**
   * Orders an executor to drain, which is to stop in good order; it learns of that with its next
   * heartbeat. Only the first request takes effect, and is written to the audit trail in the same
   * transaction.
   *
   * @param action the requester and the reason
   * @return false if there is no such executor, or it has stopped
   */
  boolean requestDrain(long executorId, DrainRequest request, OperatorAction action);

  /**
   * Records that an executor has started to stop without an order, for example because its process
   * ends. It is stored like a drain; an earlier order stays.
   *
   * @param left how long its handlers may go on
   */
  void recordStopping(long executorId, StopReason reason, Duration left, String by);

  /** Returns the lease version of every instance that the executor owns, by the database. */
  Map<Long, Integer> ownedInstances(long executorId);

  /** Returns executors of the group whose lease has expired and that still need recovery. */
  List<Long> expired(String executorGroup);

  /**
   * Returns recovered executors that still own instances of the group, by a claim that was written
   * too late. Call it rarely: it reads all leases.
   */
  List<Long> recoveredOwners(String executorGroup);

  /**
   * Recovers a page of instances from a dead executor. Each becomes claimable again, or is parked
   * as manual if its holder died {@code maxRecoveries} times in a row. Does nothing if the
   * executor's lease is valid again. Marks the executor recovered when nothing is left.
   *
   * @param byExecutorId the executor that recovers
   * @return the recovered instances; fewer than {@code limit} when nothing is left
   */
  List<Recovered> recover(long deadExecutorId, long byExecutorId, int limit, int maxRecoveries);

  /** Marks the executor as drained and ends its lease. */
  void markStopped(long executorId);

  /** Returns the stored executors of a group, newest first. */
  List<ExecutorInfo> list(String executorGroup);

  /**
   * Returns the executors of all groups, newest first, without those that stopped or were recovered
   * longer ago than {@code gone}.
   */
  List<ExecutorInfo> all(Duration gone);

  /**
   * The result of a renewal.
   *
   * @param found false if the executor's row is missing or belongs to another process
   * @param state the state in the row; that of a new one if the row is missing
   * @param drain the stored drain; null for none
   */
  record Renewal(boolean found, ExecutorState state, @Nullable PendingDrain drain) {
    /** Result for an executor whose row was deleted. */
    public static final Renewal GONE = new Renewal(false, ExecutorState.ACTIVE, null);
  }

  /**
   * The stored drain of an executor that has not stopped yet, also of one that stops on its own.
   *
   * @param left from this renewal until the deadline, by the database's clock; never negative
   */
  record PendingDrain(String by, StopReason reason, Duration left) {}

  /** An instance that was recovered from a dead executor. */
  record Recovered(long instanceId, boolean parked) {}
}
