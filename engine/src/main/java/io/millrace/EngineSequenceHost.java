package io.millrace;

import io.millrace.codec.Codec;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.dispatch.DefinitionRegistry;
import io.millrace.dispatch.NewInstanceFactory;
import io.millrace.instance.StartRequest;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.sequence.SequenceHost;
import io.millrace.store.ChannelClaimOutcome;
import io.millrace.store.NewInstance;
import io.millrace.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;

/** The engine as task sequences see it. */
record EngineSequenceHost(
    Store store,
    EngineRuntime runtime,
    EngineSettings settings,
    ExecutorSlot executorSlot,
    DefinitionRegistry definitions,
    NewInstanceFactory starts,
    Codec codec)
    implements SequenceHost {

  @Override
  public String executorGroup() {
    return settings.executorGroup();
  }

  @Override
  public boolean define(WorkflowDefinition definition) {
    return executorSlot.executor().define(definition);
  }

  @Override
  public void describe(WorkflowDefinition definition) {
    definitions.describe(definition);
  }

  @Override
  public boolean hasExecutor(String type, int version, String executorGroup) {
    Instant now = store.queries().now();
    return store
        .definitions()
        .find(type, version)
        .filter(definition ->
            store.executors().list(executorGroup).stream()
                .filter(executor -> executor.state().acceptsWork())
                .filter(executor -> executor.isAlive(now))
                .anyMatch(
                    executor -> executor.identity().definitionIds().contains(definition.id())))
        .isPresent();
  }

  @Override
  public NewInstance prepare(StartRequest request, String executorGroup) {
    return starts.topLevel(request, executorGroup);
  }

  @Override
  public long start(StartRequest request, String executorGroup) {
    return executorSlot.start(List.of(prepare(request, executorGroup))).getFirst().id();
  }

  @Override
  public OptionalLong started(String type, String executorGroup, String externalId) {
    return store
        .queries()
        .findByExternalId(type, executorGroup, externalId)
        .map(instance -> OptionalLong.of(instance.id()))
        .orElse(OptionalLong.empty());
  }

  @Override
  public ChannelClaimOutcome claim(long executionId, int seq) {
    return executorSlot.executor().claim(executionId, seq);
  }

  @Override
  public void wake() {
    executorSlot.executor().wakeAll();
  }

  @Override
  public void onMessage(Runnable listener) {
    executorSlot.onMessage(listener);
  }

  @Override
  public Duration maxSleep() {
    return settings.dispatching().maxSleep();
  }

  @Override
  public boolean isDraining() {
    return !executorSlot.executor().acceptsWork();
  }
}
