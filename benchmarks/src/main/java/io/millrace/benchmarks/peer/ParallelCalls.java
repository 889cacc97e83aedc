package io.millrace.benchmarks.peer;

import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Makes the same call many times from several threads. */
public final class ParallelCalls {

  /** What is called; thread-safe. */
  @FunctionalInterface
  public interface Call {
    void make() throws Exception;
  }

  private ParallelCalls() {}

  /** Returns when all calls have been made, or throws what one of them threw. */
  public static void calls(int threads, int count, Call call) throws Exception {
    Callable<Void> one =
        () -> {
          call.make();
          return null;
        };
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      for (Future<Void> done : executor.invokeAll(Collections.nCopies(count, one))) {
        done.get();
      }
    }
  }
}
