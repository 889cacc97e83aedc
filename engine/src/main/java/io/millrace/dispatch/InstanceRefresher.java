package io.millrace.dispatch;

import io.millrace.lifecycle.Runner;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A refresher that rereads instances whose next attempt must see the writes of others. It uses a
 * few platform threads, since handlers may occupy all others.
 */
final class InstanceRefresher {

  private static final int MAX_THREADS = 4;

  private final Runner runner;
  private final Consumer<LeasedInstance> work;
  private final Queue<LeasedInstance> waiting = new ArrayDeque<>();
  private int threads;

  /**
   * @param work called for each instance; must not throw
   */
  InstanceRefresher(Runner runner, Consumer<LeasedInstance> work) {
    this.runner = runner;
    this.work = work;
  }

  void submit(LeasedInstance leased) {
    synchronized (this) {
      waiting.add(leased);
      if (threads == MAX_THREADS) {
        return;
      }
      threads++;
    }
    runner.runOnPlatform("millrace-refresh", this::drain);
  }

  private void drain() {
    for (LeasedInstance leased = next(); leased != null; leased = next()) {
      work.accept(leased);
    }
  }

  /** Returns the next instance; null if the calling thread must end. */
  private synchronized @Nullable LeasedInstance next() {
    LeasedInstance leased = waiting.poll();
    if (leased == null) {
      threads--;
    }
    return leased;
  }
}
