package io.millrace.lifecycle;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A pool of platform threads with the rules of {@link ThreadPoolExecutor}: threads up to the core
 * size are made first, then work waits in the queue, then threads up to the maximum are made, and
 * what still finds no place is done by whoever brings it. Thread-safe.
 */
public final class BoundedPool implements AutoCloseable {

  /**
   * How large it is.
   *
   * @param coreSize threads that are kept, 0 or more
   * @param maximumSize the most threads, 1 or more and not under {@code coreSize}
   * @param keepAlive how long a thread beyond the core waits for work, at most a year
   * @param queueSize how much work waits, 0 or more
   */
  public record Size(int coreSize, int maximumSize, Duration keepAlive, int queueSize) {
    private static final Duration LONGEST = Duration.ofDays(365);

    public Size {
      require(coreSize >= 0, "corePoolSize", coreSize, "0 or more");
      require(
          maximumSize >= Math.max(1, coreSize),
          "maximumPoolSize",
          maximumSize,
          "1 or more, and at least corePoolSize, " + coreSize);
      require(
          !keepAlive.isNegative() && keepAlive.compareTo(LONGEST) <= 0,
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

  private final ThreadPoolExecutor threads;

  /** A pool whose threads are called {@code name} with a number. */
  public BoundedPool(String name, Size size) {
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
                    .unstarted(work),
            BoundedPool::runHere);
  }

  /** A closed pool must not take what it will never do. */
  private static void runHere(Runnable work, ThreadPoolExecutor pool) {
    if (pool.isShutdown()) {
      throw new RejectedExecutionException("The thread pool is closed");
    }
    work.run();
  }

  /** Has {@code work} done; may do it itself before it returns. */
  public <T> Future<T> submit(Callable<T> work) {
    return threads.submit(work);
  }

  /** Threads that are doing work now. */
  public int active() {
    return threads.getActiveCount();
  }

  /** Work that waits. */
  public int waiting() {
    return threads.getQueue().size();
  }

  /** Interrupts its threads; what waits is cancelled. */
  @Override
  public void close() {
    for (Runnable waiting : threads.shutdownNow()) {
      if (waiting instanceof Future<?> future) {
        future.cancel(false);
      }
    }
  }
}
