package io.millrace.sequence;

import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.StartRequest;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.store.ChannelClaimOutcome;
import io.millrace.store.NewInstance;
import java.time.Duration;
import java.util.OptionalLong;

/** Services of the engine that runs sequences. */
public interface SequenceHost {

  /** Returns the group whose executors run the sequences of this engine. */
  String executorGroup();

  /** Returns the source of time, threads and random numbers. */
  EngineRuntime runtime();

  /**
   * Adds a definition whose instances the engine runs.
   *
   * @return false if a definition of this type and version exists already, which stays
   */
  boolean define(WorkflowDefinition definition);

  /** Stores a definition that this engine cannot run, so that any node can show it. */
  void describe(WorkflowDefinition definition);

  /**
   * Returns true if a live executor of the group claims work and has the code of this definition.
   */
  boolean hasExecutor(String type, int version, String executorGroup);

  /** Returns the instance that a request starts for the executors of a group. */
  NewInstance prepare(StartRequest request, String executorGroup);

  /**
   * Starts an instance for the executors of a group; it is durable when this returns.
   *
   * @return its id
   */
  long start(StartRequest request, String executorGroup);

  /** Returns the instance that was started under an external id; empty if there is none. */
  OptionalLong started(String type, String executorGroup, String externalId);

  /**
   * Claims the execution for which a channel message came.
   *
   * @param seq of the transition or start that the message names
   * @throws io.millrace.store.StoreException if the database does not answer
   */
  ChannelClaimOutcome claim(long executionId, int seq);

  /** Makes this and other nodes look for due instances. */
  void wake();

  /** Adds a listener that is called after messages were written here. */
  void onMessage(Runnable listener);

  /** Returns the upper limit of the pause while nothing is known to be due. */
  Duration maxSleep();

  /** Returns true once the engine claims nothing more. */
  boolean isDraining();
}
