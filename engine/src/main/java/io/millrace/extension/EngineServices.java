package io.millrace.extension;

import io.millrace.codec.Codec;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.dispatch.DefinitionRegistry;
import io.millrace.dispatch.InstanceExecutor;
import io.millrace.dispatch.LocalExecutors;
import io.millrace.dispatch.NameRules;
import io.millrace.dispatch.NewInstanceFactory;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.InstanceConflictException;
import io.millrace.instance.InstanceNotFoundException;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.StartRequest;
import io.millrace.instance.StartedInstance;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.lifecycle.EngineState;
import io.millrace.store.ChannelClaimOutcome;
import io.millrace.store.HintChannel;
import io.millrace.store.InboxRules;
import io.millrace.store.NewInstance;
import io.millrace.store.OperatorStore;
import io.millrace.store.OperatorStore.SignalRequest;
import io.millrace.store.RunStartCodes;
import io.millrace.store.StartResult;
import io.millrace.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The services of an engine to its features. Those that concern an executor are of the current one,
 * or of the one that {@link #on} names. Thread-safe.
 */
public final class EngineServices {

  private final Parts parts;
  private final LocalExecutors executors;
  private final Supplier<InstanceExecutor> executor;

  /** The parts of an engine that exist before its first executor. */
  public record Parts(
      Store store,
      EngineRuntime runtime,
      EngineSettings settings,
      Codec codec,
      DefinitionRegistry definitions,
      NewInstanceFactory instanceFactory) {}

  public EngineServices(Parts parts, LocalExecutors executors) {
    this(parts, executors, executors::current);
  }

  private EngineServices(
      Parts parts, LocalExecutors executors, Supplier<InstanceExecutor> executor) {
    this.parts = parts;
    this.executors = executors;
    this.executor = executor;
  }

  /** Returns the same services on one executor, which may have a successor in this engine. */
  public EngineServices on(Supplier<InstanceExecutor> one) {
    return new EngineServices(parts, executors, one);
  }

  /** Returns the store of the engine. */
  public Store store() {
    return parts.store;
  }

  /** Returns the settings of the engine. */
  public EngineSettings settings() {
    return parts.settings;
  }

  /** Returns the codec for values of users. */
  public Codec codec() {
    return parts.codec;
  }

  /** Returns the group whose executors run the instances of this engine. */
  public String executorGroup() {
    return parts.settings.executorGroup();
  }

  /** Returns the source of time, threads and random numbers. */
  public EngineRuntime runtime() {
    return parts.runtime;
  }

  /** Returns the time of the database, which decides on all nodes what is due. */
  public Instant databaseTime() {
    return parts.store.queries().now();
  }

  /** Returns the upper limit of the pause while nothing is known to be due. */
  public Duration maxSleep() {
    return parts.settings.dispatching().maxSleep();
  }

  /** Returns false if an interrupt inside the database's code would harm it. */
  public boolean interruptible() {
    return parts.store.interruptible();
  }

  /**
   * Adds a definition whose instances the engine runs.
   *
   * @return false if a definition of this type and version exists already, which stays
   */
  public boolean define(WorkflowDefinition definition) {
    return executor.get().define(definition);
  }

  /** Stores a definition that this engine cannot run, so that any node can show it. */
  public void storeDefinition(WorkflowDefinition definition) {
    parts.definitions.storeDefinition(definition);
  }

  /**
   * Returns true if a live executor of the group claims work and has the code of this definition.
   */
  public boolean hasExecutor(String type, int version, String executorGroup) {
    Instant now = parts.store.queries().now();
    return parts
        .store
        .definitions()
        .find(type, version)
        .filter(definition ->
            parts.store.executors().list(executorGroup).stream()
                .filter(one -> one.state().acceptsWork())
                .filter(one -> one.isAlive(now))
                .anyMatch(one -> one.identity().definitionIds().contains(definition.id())))
        .isPresent();
  }

  /**
   * Returns the executors of the group that claim work: not stopped, recovered, cordoned or
   * draining. One that died counts until it is recovered.
   */
  public Set<Long> claimingExecutors() {
    return parts.store.executors().list(executorGroup()).stream()
        .filter(one -> one.stopped() == null && one.recovered() == null)
        .filter(one -> one.drain() == null && one.state().acceptsWork())
        .map(ExecutorInfo::id)
        .collect(Collectors.toSet());
  }

  /** Returns the instance that a request starts for the executors of a group. */
  public NewInstance prepare(StartRequest request, String executorGroup) {
    return parts.instanceFactory.topLevel(request, executorGroup);
  }

  /**
   * Starts an instance for the executors of a group; it is durable when this returns.
   *
   * @throws InstanceConflictException if an earlier start used the external id with another payload
   */
  public StartedInstance start(StartRequest request, String executorGroup) {
    return startAll(List.of(request), executorGroup).getFirst();
  }

  /**
   * Starts instances in one transaction.
   *
   * @throws InstanceConflictException if the external id of one belongs to a start with another
   *     payload; all the others are started
   */
  public List<StartedInstance> startAll(List<StartRequest> requests, String executorGroup) {
    List<NewInstance> instances =
        requests.stream().map(request -> prepare(request, executorGroup)).toList();
    List<StartResult> results = executors.start(instances);
    List<StartedInstance> started = new ArrayList<>(requests.size());
    for (int i = 0; i < results.size(); i++) {
      started.add(results.get(i).requireSame(requests.get(i)));
    }
    return started;
  }

  /** Returns the instance that was started under an external id; empty if there is none. */
  public OptionalLong started(String type, String executorGroup, String externalId) {
    return parts
        .store
        .queries()
        .findByExternalId(type, executorGroup, externalId)
        .map(instance -> OptionalLong.of(instance.id()))
        .orElse(OptionalLong.empty());
  }

  /**
   * Sends a signal.
   *
   * @throws InvalidRequestException if one of its names is invalid
   * @throws InstanceNotFoundException if there is no such instance
   * @throws InstanceConflictException if the instance has ended, or too many signals wait for it
   */
  public void signal(SignalRequest request) {
    signal(parts.store.operators(), request, this::poll);
  }

  /**
   * Sends a signal through a store, which may write it in the transaction of the caller.
   *
   * @param woken called if the instance waits for the signal
   * @throws InvalidRequestException if one of its names is invalid
   * @throws InstanceNotFoundException if there is no such instance
   * @throws InstanceConflictException if the instance has ended, or too many signals wait for it
   */
  public static void signal(OperatorStore operators, SignalRequest request, Runnable woken) {
    NameRules.check("signal", request.name());
    if (request.actor() != null) {
      NameRules.check("actor", request.actor());
    }
    if (request.key() != null) {
      NameRules.checkKey("signal key", request.key());
    }
    switch (operators.signal(request)) {
      case WOKEN -> woken.run();
      case IN_INBOX, DUPLICATE -> {}
      case NOT_FOUND -> throw new InstanceNotFoundException(request.instanceId());
      case FULL ->
          throw new InstanceConflictException(request.instanceId(), InboxRules.refusal(request));
      case ENDED ->
          throw new InstanceConflictException(
              request.instanceId(),
              "Instance "
                  + request.instanceId()
                  + " has ended; signal '"
                  + request.name()
                  + "' cannot be delivered any more.");
    }
  }

  /**
   * Claims the instance for which a channel message came.
   *
   * @param seq of the transition or start that the message names
   * @throws io.millrace.store.StoreException if the database does not answer
   */
  public ChannelClaimOutcome claim(long instanceId, int seq) {
    return executor.get().claim(instanceId, seq);
  }

  /** Makes the executor and those on other nodes look for due instances now. */
  public void poll() {
    executor.get().pollEverywhere();
  }

  /** Adds a listener for hints of other nodes, until the subscription is closed. */
  public HintChannel.Subscription onHint(Runnable listener) {
    return parts.store.hints().subscribe(executorGroup(), listener);
  }

  /** Returns the executor's id, which changes after its row was lost; empty if it runs nothing. */
  public OptionalLong executorId() {
    Long id = executor.get().executorId();
    return id == null ? OptionalLong.empty() : OptionalLong.of(id);
  }

  /** Returns true while no other executor can have taken over what the executor owns. */
  public boolean isLeaseValid() {
    return executor.get().isLeaseValid();
  }

  /** Returns false while the executor must claim no new work; what it owns goes on. */
  public boolean acceptsWork() {
    return executor.get().acceptsWork();
  }

  /** Returns true once the executor must release what it owns. */
  public boolean isStopping() {
    return executor.get().state() != EngineState.RUNNING;
  }

  /** Returns the reason of releases at a stop, such as {@code RECYCLE}. */
  public String reasonOfStop() {
    return RunStartCodes.after(executor.get().stopReason().orElse(null));
  }
}
