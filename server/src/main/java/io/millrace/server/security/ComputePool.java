package io.millrace.server.security;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * A bounded pool of platform threads for CPU-bound work. Virtual threads are not time-sliced, so
 * such work on the threads of HTTP would block all other requests. Idle threads end by themselves.
 * Thread-safe.
 */
public final class ComputePool {

  /** Half of the processors, so that at least half of them remain for everything else. */
  public static final int HALF_OF_PROCESSORS =
      Math.max(1, Runtime.getRuntime().availableProcessors() / 2);

  private static final Duration KEEP_ALIVE = Duration.ofSeconds(30);
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  private final ThreadPoolExecutor threads;
  private final Duration patience;
  private final String refusal;

  /**
   * Creates a pool with threads named {@code name} and a number.
   *
   * @param size upper limit of the threads
   * @param queue upper limit of the waiting calls
   * @param patience longest time that a call waits for a thread
   * @param refusal message for a call that gets no thread
   */
  public ComputePool(String name, int size, int queue, Duration patience, String refusal) {
    AtomicInteger number = new AtomicInteger();
    this.patience = patience;
    this.refusal = refusal;
    this.threads =
        new ThreadPoolExecutor(
            size,
            size,
            KEEP_ALIVE.toMillis(),
            TimeUnit.MILLISECONDS,
            new LinkedBlockingQueue<>(queue),
            work ->
                Thread.ofPlatform()
                    .name(name + "-" + number.incrementAndGet())
                    .daemon()
                    .unstarted(work));
    threads.allowCoreThreadTimeOut(true);
  }

  /**
   * Runs {@code work} on a thread of this pool and returns its result.
   *
   * @throws RejectedRequestException with 429 if too many calls wait, or no thread was free in time
   */
  public <T> T run(Supplier<T> work) {
    CountDownLatch started = new CountDownLatch(1);
    FutureTask<T> task =
        new FutureTask<>(() -> {
          started.countDown();
          return work.get();
        });
    try {
      threads.execute(task);
      if (!started.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        drop(task);
      }
      return task.get();
    } catch (RejectedExecutionException | CancellationException e) {
      throw RejectedRequestException.tooMany(refusal, RETRY_AFTER);
    } catch (InterruptedException e) {
      drop(task);
      Thread.currentThread().interrupt();
      throw RejectedRequestException.tooMany(refusal, RETRY_AFTER);
    } catch (ExecutionException e) {
      throw unwrapped(Objects.requireNonNull(e.getCause()));
    }
  }

  /** Removes a task from the queue; has no effect if the task has started at the last moment. */
  private void drop(FutureTask<?> task) {
    if (threads.remove(task)) {
      task.cancel(false);
    }
  }

  private static RuntimeException unwrapped(Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof RuntimeException e ? e : new IllegalStateException(cause);
  }
}
