package io.millrace.sequence;

import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.StartRequest;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.store.NewInstance;
import java.time.Duration;
import java.util.OptionalLong;

/** Services of the engine that runs sequences. */
public interface SequenceHost {

  /** Returns the group whose executors run the sequences of this engine. */
  String executorGroup();

  /** Time, threads and chance. */
  EngineRuntime runtime();

  /**
   * Adds a definition whose instances the engine runs.
   *
   * @return false when there is one of this type and version already, which stays
   */
  boolean define(WorkflowDefinition definition);

  /** Stores what any node shall be able to show of a definition that this engine cannot run. */
  void describe(WorkflowDefinition definition);

  /** True if a live executor of the group takes work and has the code of this definition. */
  boolean hasExecutor(String type, int version, String executorGroup);

  /** The instance that a start makes for the executors of a group. */
  NewInstance prepare(StartRequest request, String executorGroup);

  /**
   * Starts an instance for the executors of a group; it is durable when this returns.
   *
   * @return its id
   */
  long start(StartRequest request, String executorGroup);

  /** The instance that was started under an external id; empty when there is none. */
  OptionalLong started(String type, String executorGroup, String externalId);

  /**
   * Takes the execution that a message tells of.
   *
   * @param seq that of the transition or start which the message tells of
   * @throws io.millrace.store.StoreException when the database does not answer
   */
  ClaimOutcome claim(long executionId, int seq);

  /** Makes this and other nodes look for due instances. */
  void wake();

  /** Adds a listener that is called after messages were written here. */
  void onMessage(Runnable listener);

  /** Returns the longest pause while nothing is known to be due. */
  Duration maxIdleTime();

  /** True once the engine takes nothing more. */
  boolean isDraining();

  /** The outcome of the claim of an execution that a message announces. */
  enum ClaimOutcome {
    /** Runs here. */
    TAKEN,
    /** Continued without the message. */
    SUPERSEDED,
    /** To be delivered again, here or on another node. */
    RETRY_LATER,
    /** There is no such execution. */
    UNKNOWN
  }
}
