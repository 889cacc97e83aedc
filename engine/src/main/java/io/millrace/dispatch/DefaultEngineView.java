package io.millrace.dispatch;

import io.millrace.event.EngineView;
import java.time.Duration;

/** The view of this engine for listeners. */
record DefaultEngineView(
    EngineContext engine,
    ExecutorLease lease,
    LeasedInstances leasedInstances,
    InstanceProcessor processor)
    implements EngineView {

  @Override
  public long executorId() {
    return lease.executorId();
  }

  @Override
  public String executorGroup() {
    return engine.settings().executorGroup();
  }

  @Override
  public Load load() {
    WorkQueue queue = processor.queue();
    Duration age = lease.age();
    Duration left = engine.settings().leasing().lostAfter().minus(age);
    return new Load(
        leasedInstances.size(),
        queue.waiting(),
        processor.unwritten(),
        new Handlers(queue.running(), engine.settings().dispatching().concurrency(), stuck()),
        age,
        left.isNegative() ? Duration.ZERO : left);
  }

  private int stuck() {
    long begunBefore =
        engine.clock().nanoTime() - engine.settings().guards().stuckAfter().toNanos();
    return (int)
        processor.handlers().stream()
            .filter(handler -> handler.runningSinceNanos() - begunBefore <= 0)
            .count();
  }
}
