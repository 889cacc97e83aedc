package io.millrace;

import io.millrace.continuous.ContinuousHost;
import io.millrace.dispatch.InstanceExecutor;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.StartRequest;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.EngineState;
import io.millrace.store.HintChannel;
import io.millrace.store.NewInstance;
import io.millrace.store.RunStartCodes;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The engine as continuous workflows see it.
 *
 * @param executor runs the executions
 */
record EngineContinuousHost(EngineSequenceHost engine, InstanceExecutor executor)
    implements ContinuousHost {

  @Override
  public String executorGroup() {
    return engine.executorGroup();
  }

  @Override
  public EngineRuntime runtime() {
    return engine.runtime();
  }

  @Override
  public OptionalLong executorId() {
    Long id = executor.executorId();
    return id == null ? OptionalLong.empty() : OptionalLong.of(id);
  }

  @Override
  public boolean isLeaseValid() {
    return executor.isLeaseValid();
  }

  @Override
  public Set<Long> liveExecutors() {
    return engine.store().executors().list(executorGroup()).stream()
        .filter(one -> one.stopped() == null && one.recovered() == null)
        .filter(one -> one.drain() == null && one.state().acceptsWork())
        .map(ExecutorInfo::id)
        .collect(Collectors.toSet());
  }

  @Override
  public NewInstance prepare(StartRequest request) {
    return engine.prepare(request, executorGroup());
  }

  @Override
  public long start(StartRequest request, String group) {
    return engine.start(request, group);
  }

  @Override
  public void wake() {
    engine.wake();
  }

  @Override
  public HintChannel.Subscription onHint(Runnable listener) {
    return engine.store().hints().subscribe(executorGroup(), listener);
  }

  @Override
  public boolean acceptsWork() {
    return executor.acceptsWork();
  }

  @Override
  public boolean isDraining() {
    return executor.state() != EngineState.RUNNING;
  }

  @Override
  public String reasonOfStop() {
    return RunStartCodes.after(executor.stopReason().orElse(null));
  }

  @Override
  public boolean interruptible() {
    return engine.store().interruptible();
  }
}
