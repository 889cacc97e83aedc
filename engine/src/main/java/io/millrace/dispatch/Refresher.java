package io.millrace.dispatch;

import io.millrace.lifecycle.Runner;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Rereads instances of which the next step must see what others have written. Uses platform
 * threads, since handlers may occupy all others, and only a few of them.
 */
final class Refresher {

  private static final int MOST_THREADS = 4;

  private final Runner runner;
  private final Consumer<Held> work;
  private final Queue<Held> waiting = new ArrayDeque<>();
  private int threads;

  /**
   * @param work must not throw
   */
  Refresher(Runner runner, Consumer<Held> work) {
    this.runner = runner;
    this.work = work;
  }

  void submit(Held chained) {
    synchronized (this) {
      waiting.add(chained);
      if (threads == MOST_THREADS) {
        return;
      }
      threads++;
    }
    runner.runOnPlatform("millrace-refresh", this::drain);
  }

  private void drain() {
    for (Held next = next(); next != null; next = next()) {
      work.accept(next);
    }
  }

  /** Null when the calling thread is to end. */
  private synchronized @Nullable Held next() {
    Held next = waiting.poll();
    if (next == null) {
      threads--;
    }
    return next;
  }
}
