package io.millrace.benchmarks.peer;

import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A helper that makes the same call many times from several threads. */
public final class ParallelCalls {

  /** The call to make; thread-safe. */
  @FunctionalInterface
  public interface Call {
    void make() throws Exception;
  }

  private ParallelCalls() {}

  /** Makes all calls and returns, or throws an exception that one of them threw. */
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
