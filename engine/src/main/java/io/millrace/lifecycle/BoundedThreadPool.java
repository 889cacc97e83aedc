package io.millrace.lifecycle;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A pool of platform threads with the rules of {@link ThreadPoolExecutor}: threads up to the core
 * size are created first, then work waits in the queue, then threads up to the maximum are created.
 * A caller whose work finds no place waits for one. Thread-safe.
 */
public final class BoundedThreadPool implements AutoCloseable {

  /**
   * The size of a pool.
   *
   * @param coreSize number of threads that are kept, 0 or more
   * @param maximumSize maximum number of threads, 1 or more and not under {@code coreSize}
   * @param keepAlive how long a thread beyond the core waits for work, at most a year
   * @param queueSize maximum number of waiting pieces of work, 0 or more
   */
  public record Size(int coreSize, int maximumSize, Duration keepAlive, int queueSize) {
    private static final Duration MAX_KEEP_ALIVE = Duration.ofDays(365);

    public Size {
      require(coreSize >= 0, "corePoolSize", coreSize, "0 or more");
      require(
          maximumSize >= Math.max(1, coreSize),
          "maximumPoolSize",
          maximumSize,
          "1 or more, and at least corePoolSize, " + coreSize);
      require(
          !keepAlive.isNegative() && keepAlive.compareTo(MAX_KEEP_ALIVE) <= 0,
          "keepAliveTime",
          keepAlive,
          "zero to a year");
      require(queueSize >= 0, "waitingQueueSize", queueSize, "0 or more");
    }

    private static void require(boolean valid, String name, Object value, String expected) {
      if (!valid) {
        throw new IllegalArgumentException(
            "Thread pool: " + name + " is " + value + ", expected " + expected + ".");
      }
    }
  }

  /** Time between checks whether the pool was closed. */
  private static final Duration LOOK = Duration.ofMillis(100);

  private final ThreadPoolExecutor threads;
  private final Semaphore places;

  /** Creates a pool whose threads are called {@code name} with a number. */
  public BoundedThreadPool(String name, Size size) {
    AtomicLong numbers = new AtomicLong();
    BlockingQueue<Runnable> queue =
        size.queueSize == 0 ? new SynchronousQueue<>() : new LinkedBlockingQueue<>(size.queueSize);
    this.threads =
        new ThreadPoolExecutor(
            size.coreSize,
            size.maximumSize,
            size.keepAlive.toNanos(),
            TimeUnit.NANOSECONDS,
            queue,
            work ->
                Thread.ofPlatform()
                    .name(name + "-" + numbers.incrementAndGet())
                    .daemon()
                    .unstarted(work));
    long most = (long) size.maximumSize + size.queueSize;
    this.places = new Semaphore((int) Math.min(most, Integer.MAX_VALUE));
  }

  /** Work that has a place on a thread or in the queue until it has ended. */
  private final class PermitTask<T> extends FutureTask<T> {
    private PermitTask(Callable<T> work) {
      super(work);
    }

    @Override
    public void run() {
      try {
        super.run();
      } finally {
        places.release();
      }
    }
  }

  /**
   * Runs {@code work} on a thread of the pool; waits while there is no place for it. The caller's
   * own thread does not run it, which would exceed the maximum by one.
   *
   * @throws RejectedExecutionException if the pool is closed or the caller interrupted
   */
  public <T> Future<T> submit(Callable<T> work) {
    PermitTask<T> permitTask = new PermitTask<>(work);
    try {
      while (!places.tryAcquire(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
        if (threads.isShutdown()) {
          throw new RejectedExecutionException("The thread pool is closed");
        }
      }
      execute(permitTask);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RejectedExecutionException("Interrupted while waiting for the thread pool", e);
    }
    return permitTask;
  }

  private void execute(PermitTask<?> permitTask) {
    while (true) {
      try {
        threads.execute(permitTask);
        return;
      } catch (RejectedExecutionException e) {
        if (threads.isShutdown()) {
          throw e;
        }
        Thread.onSpinWait(); // a thread that has just finished takes the next work in a moment
      }
    }
  }

  /** Returns the number of threads that are working now. */
  public int active() {
    return threads.getActiveCount();
  }

  /** Returns the number of waiting pieces of work. */
  public int waiting() {
    return threads.getQueue().size();
  }

  /** Interrupts the threads and cancels waiting work. */
  @Override
  public void close() {
    for (Runnable waiting : threads.shutdownNow()) {
      if (waiting instanceof Future<?> future) {
        future.cancel(false);
      }
    }
  }
}
