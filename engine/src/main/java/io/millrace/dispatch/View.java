package io.millrace.dispatch;

import io.millrace.event.EngineView;
import java.time.Duration;

/** What this engine shows of itself to those who watch it. */
record View(Node node, HeldSet heldSet, Worker worker, LeaseKeeper keeper) implements EngineView {

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
    int stuck = 0;
    for (Held one : heldSet.all()) {
      Held.Attempt attempt = one.attempt();
      if (one.phase() == Held.Phase.RUNNING
          && attempt != null
          && attempt.startedNanos() - begunBefore <= 0) {
        stuck++;
      }
    }
    return stuck;
  }
}
