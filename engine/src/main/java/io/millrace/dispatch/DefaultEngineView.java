package io.millrace.dispatch;

import io.millrace.event.EngineView;
import java.time.Duration;

/** The view of this engine for listeners. */
record DefaultEngineView(
    EngineContext node, LeasedInstances heldSet, InstanceProcessor worker, LeaseKeeper keeper)
    implements EngineView {

  @Override
  public long executorId() {
    return keeper.executorId();
  }

  @Override
  public String executorGroup() {
    return node.settings().executorGroup();
  }

  @Override
  public Load load() {
    WorkQueue queue = worker.queue();
    Duration age = keeper.leaseAge();
    Duration left = node.settings().leasing().giveUpAfter().minus(age);
    return new Load(
        heldSet.size(),
        queue.waiting(),
        worker.unwritten(),
        new Handlers(queue.running(), node.settings().dispatching().concurrency(), stuck()),
        age,
        left.isNegative() ? Duration.ZERO : left);
  }

  private int stuck() {
    long begunBefore = node.clock().nanoTime() - node.settings().guards().stuckAfter().toNanos();
    return (int)
        worker.handlers().stream()
            .filter(handler -> handler.startedNanos() - begunBefore <= 0)
            .count();
  }
}
