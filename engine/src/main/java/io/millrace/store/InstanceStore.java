package io.millrace.store;

import io.millrace.instance.InboxMessage;
import io.millrace.instance.Position;
import io.millrace.instance.Progress;
import java.sql.Connection;
import java.util.List;
import java.util.Optional;

/**
 * The calls on the hot path: those that start, claim, save and release instances, read their
 * inboxes, or store their steps and progress.
 */
public interface InstanceStore {

  /** Starts instances in one transaction. The results are in the order of the requests. */
  List<StartResult> start(List<NewInstance> instances);

  /**
   * Starts instances like {@link #start(List)}, but fails almost at once if another transaction has
   * inserted or locked one of their external ids. The default is {@code start} itself, for stores
   * in which no transaction waits for another.
   */
  default List<StartResult> startWithoutWaiting(List<NewInstance> instances) {
    return start(instances);
  }

  /**
   * Starts an instance in the caller's own transaction; nothing is committed here.
   *
   * @throws StoreException if this store is not based on JDBC
   */
  StartResult start(Connection transaction, NewInstance instance);

  /** Claims due instances for one executor, in the order of priority and due time. */
  ClaimResult claim(ClaimRequest request);

  /**
   * Claims the named instances for one executor. An instance is claimed if it still has the named
   * {@code seq} and waits for nothing but its due time, even if that time has not come. The results
   * are in the order of the request; an instance that is named twice is claimed once.
   */
  List<ChannelClaimResult> claimForChannel(ChannelClaimRequest request);

  /**
   * Writes transitions in one transaction. A fenced transition does not stop the others. The
   * results are in the order of the requests.
   */
  List<SaveResult> save(List<SaveRequest> saves);

  /**
   * Returns the unconsumed messages of an instance, oldest first, limited by {@link
   * InboxRules#page}.
   */
  List<InboxMessage> unconsumedMessages(long instanceId);

  /** Returns the oldest unconsumed signal of a name; empty if there is none. */
  Optional<InboxMessage> oldestSignal(long instanceId, String name);

  /**
   * Stores a step's result under the fence, durably.
   *
   * @return false if fenced
   */
  boolean recordStep(StepRecord step);

  /** Stores progress where the fence still holds; other updates are dropped. */
  void progress(List<ProgressUpdate> updates);

  /**
   * Releases claimed instances without counting an attempt, whatever their {@code seq}. Instances
   * whose lease has passed on are skipped.
   *
   * @return number of released instances
   */
  int release(List<Fence> leases);

  /**
   * The result of a step.
   *
   * @param enteredSeq the visit of the state to which it belongs, as in {@link Position}
   * @param result JSON text
   */
  record StepRecord(Fence fence, int enteredSeq, String name, String result) {}

  /** A progress report under a lease. */
  record ProgressUpdate(Fence fence, Progress progress) {}
}
