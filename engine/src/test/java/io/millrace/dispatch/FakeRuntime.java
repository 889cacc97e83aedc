package io.millrace.dispatch;

import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.HostProcess;
import io.millrace.lifecycle.Loop;
import io.millrace.lifecycle.Runner;
import io.millrace.lifecycle.RunningTask;
import io.millrace.lifecycle.Waiter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A runner whose rounds the test runs, with a clock that the test sets. */
final class FakeRuntime implements Runner, EngineClock {

  long nanos;
  private final List<Loop.Work> loops = new ArrayList<>();

  EngineRuntime runtime() {
    return new EngineRuntime(this, this, new Random(1));
  }

  /** Returns a runtime of a process with a heap of that many bytes. */
  EngineRuntime runtime(long maxHeap) {
    return new EngineRuntime(
        this,
        this,
        new Random(1),
        new HostProcess() {
          @Override
          public Duration uptime() {
            return Duration.ZERO;
          }

          @Override
          public Integer heapPercent() {
            return null;
          }

          @Override
          public long maxHeap() {
            return maxHeap;
          }
        });
  }

  /** Runs one round of the first loop. Returns its pause. */
  Duration tick() {
    return tick(0);
  }

  /** Runs one round of a loop, by the order in which they were created. */
  Duration tick(int loop) {
    return loops.get(loop).tick();
  }

  /** Returns the number of created loops. */
  int loops() {
    return loops.size();
  }

  void advance(Duration time) {
    nanos += time.toNanos();
  }

  @Override
  public Instant instant() {
    return Instant.EPOCH.plusNanos(nanos);
  }

  @Override
  public long nanoTime() {
    return nanos;
  }

  @Override
  public Loop loop(String name, Loop.Work round) {
    loops.add(round);
    return new Loop() {
      @Override
      public void wake() {}

      @Override
      public boolean stop(Duration patience) {
        return true;
      }
    };
  }

  @Override
  public RunningTask run(String name, Runnable task) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Waiter waiter() {
    throw new UnsupportedOperationException();
  }
}
