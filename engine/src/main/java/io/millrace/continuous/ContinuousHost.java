package io.millrace.continuous;

import io.millrace.instance.StartRequest;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.store.HintChannel;
import io.millrace.store.NewInstance;
import java.util.OptionalLong;
import java.util.Set;

/** Services of the engine that runs continuous workflows. */
public interface ContinuousHost {

  /** Returns the group whose executors run the workflows of this engine. */
  String executorGroup();

  /** Returns the source of time, threads and random numbers. */
  EngineRuntime runtime();

  /** Returns this engine's number among the executors, which changes after its row was lost. */
  OptionalLong executorId();

  /** Returns true while no other executor can have taken over what this executor owns. */
  boolean isLeaseValid();

  /** Returns the executors of the group that are alive and were not asked to stop. */
  Set<Long> liveExecutors();

  /** Returns the execution that a request starts. */
  NewInstance prepare(StartRequest request);

  /** Starts an execution for the executors of a group; it is durable when this returns. */
  long start(StartRequest request, String executorGroup);

  /** Makes this and other nodes look for due instances. */
  void wake();

  /** Adds a listener for hints of other nodes, until the subscription is closed. */
  HintChannel.Subscription onHint(Runnable listener);

  /** Returns false while the engine must claim no new workflows; those it owns go on. */
  boolean acceptsWork();

  /** Returns true once the engine must release the workflows it owns. */
  boolean isDraining();

  /** Returns the reason of releases at a stop, such as {@code RECYCLE}. */
  String reasonOfStop();

  /** Returns false if an interrupt inside the database's code would harm it. */
  boolean interruptible();
}
