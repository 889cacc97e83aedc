package io.millrace.tests.store;

import io.millrace.fixtures.Patience;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** A set of threads that repeatedly run work at the same time. */
final class RaceRunner implements AutoCloseable {

  /** Time limit; many threads on few processors need longer than one. */
  static final Duration LIMIT = Patience.LIMIT.multipliedBy(2);

  private final int count;
  private final ExecutorService pool;

  RaceRunner(int count) {
    this.count = count;
    this.pool = Executors.newFixedThreadPool(count);
  }

  /**
   * Runs the {@code work} of each thread, all from the same moment on, and returns the results in
   * order.
   */
  <T> List<T> race(IntFunction<Callable<T>> work) {
    CyclicBarrier start = new CyclicBarrier(count);
    List<Future<T>> running = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Callable<T> own = work.apply(i);
      running.add(
          pool.submit(() -> {
            start.await(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            return own.call();
          }));
    }
    return running.stream().map(RaceRunner::result).toList();
  }

  /** Runs two kinds of work on alternating threads. */
  List<Object> race(Callable<?> first, Callable<?> second) {
    return race(i -> i % 2 == 0 ? first::call : second::call);
  }

  /**
   * Repeats a call that timed out waiting for another transaction, as the engine does. That
   * transaction may pause for longer than the store waits.
   */
  static <T> T patiently(Supplier<T> call) {
    while (true) {
      try {
        return call.get();
      } catch (StoreException e) {
        if (!e.blocked() || Thread.currentThread().isInterrupted()) {
          throw e;
        }
      }
    }
  }

  private static <T> T result(Future<T> future) {
    try {
      return future.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError("a thread failed", e);
    }
  }

  @Override
  public void close() {
    pool.shutdownNow();
  }
}
