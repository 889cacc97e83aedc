package io.millrace.demo;

import io.millrace.demo.shop.Sleeper;
import io.millrace.lifecycle.Loop;
import io.millrace.lifecycle.Runner;
import io.millrace.lifecycle.RunningTask;
import io.millrace.lifecycle.Waiter;
import io.millrace.testing.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A runner that passes thirty days in seconds: the engine's threads and external events take turns
 * on one thread, and the clock jumps to the next event. Not thread-safe.
 */
final class VirtualTimeRunner implements Runner, Sleeper {

  /**
   * Loops that never run. Every minute they look for other processes and old instances, and the
   * replay has neither.
   */
  private static final Set<String> IDLE_LOOPS = Set.of("millrace-retention", "millrace-recovery");

  private record Event(Instant at, int number, Runnable what) {}

  private final SettableClock clock;
  private final Instant end;
  private final List<VirtualLoop> loops = new ArrayList<>();
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private final PriorityQueue<Event> agenda =
      new PriorityQueue<>(Comparator.comparing(Event::at).thenComparingInt(Event::number));
  private int events;

  VirtualTimeRunner(Instant begin, Instant end) {
    this.clock = SettableClock.at(begin);
    this.end = end;
  }

  SettableClock clock() {
    return clock;
  }

  /** Schedules an external event. */
  void at(Instant time, Runnable what) {
    agenda.add(new Event(time, events++, what));
  }

  /** Runs until the end of the period. */
  void run() {
    settle();
    for (Instant next = next(); next.isBefore(end); next = next()) {
      advanceTo(next);
      Event event = agenda.peek();
      if (event != null && !event.at().isAfter(clock.instant())) {
        agenda.remove();
        event.what().run();
      }
      settle();
    }
    advanceTo(end);
  }

  private Instant next() {
    Event event = agenda.peek();
    Long loop = nextLoop();
    Instant due = loop == null ? Instant.MAX : clock.instant().plusNanos(loop - clock.nanoTime());
    return event == null || due.isBefore(event.at()) ? due : event.at();
  }

  private void advanceTo(Instant time) {
    Duration left = Duration.between(clock.instant(), time);
    if (left.isPositive()) {
      clock.advance(left);
    }
  }

  /** Passes the time of a handler's work, but not beyond the end of the period. */
  @Override
  public void sleep(Duration time) {
    Duration left = Duration.between(clock.instant(), end);
    clock.advance(time.compareTo(left) < 0 ? time : left);
  }

  private void settle() {
    while (runNext()) {
      // each run may enable another one
    }
  }

  private boolean runNext() {
    Runnable task = tasks.poll();
    if (task != null) {
      task.run();
      return true;
    }
    for (VirtualLoop loop : loops) {
      if (loop.isReady()) {
        loop.turn();
        return true;
      }
    }
    return false;
  }

  private @Nullable Long nextLoop() {
    Long next = null;
    for (VirtualLoop loop : loops) {
      if (loop.next != null && (next == null || loop.next < next)) {
        next = loop.next;
      }
    }
    return next;
  }

  @Override
  public Loop loop(String name, Loop.Work work) {
    VirtualLoop loop = new VirtualLoop(work, IDLE_LOOPS.contains(name));
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

  /** Returns a waiter that lets all other threads run while it waits. */
  @Override
  public Waiter waiter() {
    return new Waiter() {
      private boolean woken;

      @Override
      public boolean await(Duration limit) {
        while (!woken && runNext()) {
          // either one of the runs wakes the waiter, or nothing ever does
        }
        boolean result = woken;
        woken = false;
        return result;
      }

      @Override
      public void wake() {
        woken = true;
      }
    };
  }

  private final class VirtualLoop implements Loop {
    private final Work work;
    private final boolean idle;
    private @Nullable Long next = clock.nanoTime();
    private boolean turning;

    VirtualLoop(Work work, boolean idle) {
      this.work = work;
      this.idle = idle;
    }

    boolean isReady() {
      return !turning && next != null && next <= clock.nanoTime();
    }

    void turn() {
      next = null;
      turning = true;
      try {
        Duration rest = idle ? UNTIL_WOKEN : work.tick();
        if (rest.compareTo(UNTIL_WOKEN) < 0) {
          long due = clock.nanoTime() + rest.toNanos();
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
}
