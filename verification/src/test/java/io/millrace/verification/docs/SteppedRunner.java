package io.millrace.verification.docs;

import io.millrace.lifecycle.Loop;
import io.millrace.lifecycle.Runner;
import io.millrace.lifecycle.RunningTask;
import io.millrace.lifecycle.Waiter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A runner that runs nothing by itself: a test runs single rounds of loops, and the handlers. */
final class SteppedRunner implements Runner {

  private record Named(String name, Loop.Work work) {}

  private final List<Named> loops = new ArrayList<>();
  private final Deque<Runnable> tasks = new ArrayDeque<>();

  /** Returns the number of loops with a name. */
  long loops(String name) {
    return loops.stream().filter(loop -> loop.name.equals(name)).count();
  }

  /** Runs one round of a loop and returns the pause that it requests. */
  Duration turn(String name) {
    return loops.stream()
        .filter(loop -> loop.name.equals(name))
        .findFirst()
        .orElseThrow()
        .work
        .tick();
  }

  /** Runs the handlers that were started. */
  void runTasks() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  @Override
  public Loop loop(String name, Loop.Work work) {
    loops.add(new Named(name, work));
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
    return new Waiter() {
      @Override
      public boolean await(Duration limit) {
        return true;
      }

      @Override
      public void wake() {}
    };
  }
}
