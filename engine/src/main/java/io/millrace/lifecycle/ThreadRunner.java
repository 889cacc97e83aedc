package io.millrace.lifecycle;

import io.millrace.instance.TimeLimits;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A runner that uses platform threads of their own for loops, and virtual threads for tasks. */
public final class ThreadRunner implements Runner {

  private static final Logger LOG = LoggerFactory.getLogger(ThreadRunner.class);

  @Override
  public Loop loop(String name, Loop.Work work) {
    ThreadLoop loop = new ThreadLoop(name, work);
    loop.thread.start();
    return loop;
  }

  @Override
  public RunningTask run(String name, Runnable task) {
    return new ThreadTask(Thread.ofVirtual().name(name).start(task));
  }

  @Override
  public RunningTask runOnPlatform(String name, Runnable task) {
    return new ThreadTask(Thread.ofPlatform().daemon().name(name).start(task));
  }

  @Override
  public RunningTask runOnPool(String name, Runnable task) {
    return PooledTask.start(name, task);
  }

  @Override
  public Waiter waiter() {
    return new SemaphoreWaiter();
  }

  private record ThreadTask(Thread thread) implements RunningTask {
    @Override
    public void interrupt() {
      thread.interrupt();
    }

    @Override
    public List<StackTraceElement> stackTrace() {
      return List.of(thread.getStackTrace());
    }
  }

  private static final class SemaphoreWaiter implements Waiter {
    private final Semaphore calls = new Semaphore(0);

    @Override
    public boolean await(Duration limit) throws InterruptedException {
      boolean woken = calls.tryAcquire(Math.max(0, TimeLimits.nanos(limit)), TimeUnit.NANOSECONDS);
      calls.drainPermits();
      return woken;
    }

    @Override
    public void wake() {
      if (calls.availablePermits() == 0) {
        calls.release();
      }
    }
  }

  private static final class ThreadLoop implements Loop {
    private final Work work;
    private final Waiter waiter = new SemaphoreWaiter();
    private final Thread thread;
    private volatile boolean stopped;

    ThreadLoop(String name, Work work) {
      this.work = work;
      this.thread =
          Thread.ofPlatform()
              .name(name)
              .unstarted(() -> LoopSupervisor.run(name, this::turn, this::restAfterFault));
    }

    private void turn() {
      while (!stopped) {
        try {
          waiter.await(work.tick());
        } catch (InterruptedException e) {
          LOG.debug("Loop {} was interrupted; only stop() ends it", thread.getName());
        }
      }
    }

    /**
     * Pauses after an error. {@link #wake} does not end the pause: a loop that fails in each round
     * must not spin.
     */
    private void restAfterFault(long nanos) {
      long end = System.nanoTime() + nanos;
      for (long left = nanos; left > 0 && !stopped; left = end - System.nanoTime()) {
        try {
          waiter.await(Duration.ofNanos(left));
        } catch (InterruptedException e) {
          LOG.debug("Loop {} was interrupted; only stop() ends it", thread.getName());
        }
      }
    }

    @Override
    public void wake() {
      waiter.wake();
    }

    @Override
    public boolean stop(Duration patience) {
      stopped = true;
      waiter.wake();
      if (Thread.currentThread().equals(thread)) {
        return true;
      }
      return joined(patience);
    }

    private boolean joined(Duration patience) {
      try {
        return thread.join(patience);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
  }
}
