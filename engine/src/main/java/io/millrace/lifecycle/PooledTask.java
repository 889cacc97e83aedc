package io.millrace.lifecycle;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A task on a thread of an unbounded pool, which all engines of the process share. Only the task
 * itself can be interrupted, not the one that its thread runs next.
 */
final class PooledTask implements RunningTask {

  private static final String IDLE = "millrace-pool";
  private static final long KEEP_ALIVE_SECONDS = 10;

  /**
   * Threads of the tasks. They are daemons and end when they are idle, so the pool is never closed.
   */
  private static final ExecutorService THREADS =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          KEEP_ALIVE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          task ->
              Thread.ofPlatform()
                  .daemon()
                  .name(IDLE)
                  .inheritInheritableThreadLocals(false)
                  .unstarted(task));

  private final String name;
  private final Runnable work;
  private @Nullable Thread thread;
  private boolean interrupted;

  private PooledTask(String name, Runnable work) {
    this.name = name;
    this.work = work;
  }

  static PooledTask start(String name, Runnable work) {
    PooledTask task = new PooledTask(name, work);
    THREADS.execute(task::run);
    return task;
  }

  private void run() {
    Thread current = Thread.currentThread();
    current.setName(name);
    begin(current);
    try {
      work.run();
    } finally {
      end();
      current.setName(IDLE);
    }
  }

  private synchronized void begin(Thread current) {
    thread = current;
    if (interrupted) {
      current.interrupt();
    }
  }

  private synchronized void end() {
    thread = null;
    Thread.interrupted();
  }

  @Override
  public synchronized void interrupt() {
    interrupted = true;
    Thread running = thread;
    if (running != null) {
      running.interrupt();
    }
  }

  @Override
  public synchronized List<StackTraceElement> stackTrace() {
    Thread running = thread;
    return running == null ? List.of() : List.of(running.getStackTrace());
  }
}
