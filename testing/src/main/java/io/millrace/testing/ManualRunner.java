package io.millrace.testing;

import io.millrace.lifecycle.Loop;
import io.millrace.lifecycle.Runner;
import io.millrace.lifecycle.RunningTask;
import io.millrace.lifecycle.Waiter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A runner that runs everything on the calling thread, one thing at a time, in the same order each
 * time. A waiting caller drives the others meanwhile; if nothing else can happen, the clock is
 * moved to the next loop's time.
 */
final class ManualRunner implements Runner {

  private final SettableClock clock;
  private final List<ManualLoop> loops = new ArrayList<>();
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private boolean halted;

  ManualRunner(SettableClock clock) {
    this.clock = clock;
  }

  /** Stops everything, as after the death of a process. */
  void halt() {
    halted = true;
    tasks.clear();
    loops.clear();
  }

  /** Does one thing that can be done now. Returns false if there is none. */
  boolean runNext() {
    if (halted) {
      return false;
    }
    Runnable task = tasks.poll();
    if (task != null) {
      task.run();
      return true;
    }
    long now = clock.nanoTime();
    ManualLoop ready = null;
    for (int i = 0; ready == null && i < loops.size(); i++) {
      ready = loops.get(i).isReady(now) ? loops.get(i) : null;
    }
    if (ready != null) {
      ready.turn();
    }
    return ready != null;
  }

  /** Does everything that can be done now. */
  void settle() {
    while (runNext()) {
      // each run may make another one possible
    }
  }

  /**
   * Returns the nanoseconds of the clock at which the next loop runs; null if none ever will unless
   * woken.
   */
  @Nullable Long nextNanos() {
    Long next = null;
    for (ManualLoop loop : loops) {
      if (loop.next != null && (next == null || loop.next < next)) {
        next = loop.next;
      }
    }
    return next;
  }

  @Override
  public Loop loop(String name, Loop.Work work) {
    ManualLoop loop = new ManualLoop(work);
    loops.add(loop);
    return loop;
  }

  @Override
  public RunningTask run(String name, Runnable task) {
    tasks.add(task);
    return new RunningTask() {
      @Override
      public void interrupt() {}

      @Override
      public List<StackTraceElement> stackTrace() {
        return List.of();
      }
    };
  }

  @Override
  public Waiter waiter() {
    return new ManualWaiter();
  }

  private final class ManualLoop implements Loop {
    private final Work work;
    private @Nullable Long next = clock.nanoTime();
    private boolean turning;

    ManualLoop(Work work) {
      this.work = work;
    }

    boolean isReady(long now) {
      return !turning && next != null && next <= now;
    }

    void turn() {
      next = null;
      turning = true;
      try {
        Duration pause = work.tick();
        if (pause.compareTo(UNTIL_WOKEN) < 0) {
          long due = clock.nanoTime() + pause.toNanos();
          next = next == null ? due : Math.min(next, due);
        }
      } finally {
        turning = false;
      }
    }

    @Override
    public void wake() {
      next = clock.nanoTime();
    }

    @Override
    public boolean stop(Duration patience) {
      loops.remove(this);
      return true;
    }
  }

  private final class ManualWaiter implements Waiter {
    private boolean woken;

    @Override
    public boolean await(Duration limit) {
      long end =
          limit.compareTo(Loop.UNTIL_WOKEN) < 0
              ? clock.nanoTime() + limit.toNanos()
              : Long.MAX_VALUE;
      while (!woken && clock.nanoTime() < end) {
        if (!runNext()) {
          passTime(end);
        }
      }
      boolean result = woken;
      woken = false;
      return result;
    }

    private void passTime(long end) {
      Long next = nextNanos();
      long target = next == null ? end : Math.min(next, end);
      if (halted || target == Long.MAX_VALUE) {
        throw new IllegalStateException("Nothing is left that could end this wait");
      }
      clock.advance(Duration.ofNanos(Math.max(0, target - clock.nanoTime())));
    }

    @Override
    public void wake() {
      woken = true;
    }
  }
}
