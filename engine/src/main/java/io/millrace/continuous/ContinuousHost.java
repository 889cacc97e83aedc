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

  /** Time, threads and chance. */
  EngineRuntime runtime();

  /** This engine's number among the executors; another one after its row was lost. */
  OptionalLong executorId();

  /** True while nobody else can have taken over what this executor owns. */
  boolean isLeaseValid();

  /** Executors of the group that work and have not been asked to stop. */
  Set<Long> liveExecutors();

  /** The execution that a start makes. */
  NewInstance prepare(StartRequest request);

  /** Starts an execution for the executors of a group; it is durable when this returns. */
  long start(StartRequest request, String executorGroup);

  /** Makes this and other nodes look for due instances. */
  void wake();

  /** Adds a listener for hints of other nodes, until the subscription is closed. */
  HintChannel.Subscription onHint(Runnable listener);

  /** False while the engine shall take nothing more; what it has goes on. */
  boolean acceptsWork();

  /** True once the engine is to be rid of what it has. */
  boolean isDraining();

  /** Returns the reason of releases at a stop, such as {@code RECYCLE}. */
  String reasonOfStop();

  /** False when an interrupt inside the database's code would harm it. */
  boolean interruptible();
}
