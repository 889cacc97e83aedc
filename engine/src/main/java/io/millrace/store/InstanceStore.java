package io.millrace.store;

import io.millrace.instance.Progress;
import io.millrace.instance.Signal;
import java.sql.Connection;
import java.util.List;
import java.util.Optional;

/** The hot path: starting, claiming, saving. */
public interface InstanceStore {

  /** Starts instances in one transaction; answers are in the order of the requests. */
  List<StartResult> start(List<NewInstance> instances);

  /**
   * Starts an instance in the caller's own transaction; nothing is committed here.
   *
   * @throws StoreException when this store is not reached through JDBC
   */
  StartResult start(Connection transaction, NewInstance instance);

  /** Reserves due instances for one executor, in the order of priority and due time. */
  ClaimResult claim(ClaimRequest request);

  /**
   * Reserves certain instances for one executor, each only while it waits at a certain {@code seq}
   * for its time and for nothing else, also before that time. Answers are in the order of the
   * request; an instance that is wanted twice is reserved once.
   */
  List<ChannelClaimResult> claimForChannel(ChannelClaimRequest request);

  /**
   * Writes transitions in one transaction. One that is fenced does not stop the others; answers are
   * in the order of the requests.
   */
  List<SaveResult> save(List<SaveRequest> saves);

  /**
   * The unconsumed messages of an instance, oldest first, as many as {@link InboxRules#page} lets
   * through.
   */
  List<Signal> inbox(long instanceId);

  /** The oldest unconsumed signal of a name; empty when there is none. */
  Optional<Signal> oldestSignal(long instanceId, String name);

  /**
   * Stores a step's result under the fence, durably.
   *
   * @return false when fenced
   */
  boolean recordStep(StepRecord step);

  /** Stores progress where the fence still holds; others are dropped. */
  void progress(List<ProgressUpdate> updates);

  /**
   * Gives claimed instances back without counting an attempt, whatever their {@code seq}; those
   * whose lease has passed on are left alone.
   *
   * @return how many were given back
   */
  int release(List<Fence> leases);

  /**
   * The result of {@code ctx.once}.
   *
   * @param enteredSeq the visit of the state it belongs to
   * @param result JSON text
   */
  record StepRecord(Fence fence, int enteredSeq, String name, String result) {}

  /** A progress report under a lease. */
  record ProgressUpdate(Fence fence, Progress progress) {}
}
