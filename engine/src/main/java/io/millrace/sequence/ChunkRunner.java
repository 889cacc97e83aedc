package io.millrace.sequence;

import io.millrace.codec.Codec;
import io.millrace.codec.TypeRef;
import io.millrace.definition.StateContext;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.StorableText;
import io.millrace.lifecycle.BoundedThreadPool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A runner of the chunks of one attempt. Chunks run on the pool. The task's own thread stores each
 * result as soon as it arrives, so that a finished chunk is not lost with the attempt.
 */
final class ChunkRunner<T> {

  private static final int MAX_NAME = 80;

  /** Time between checks whether the pool has been closed. */
  private static final Duration MAX_WAIT = Duration.ofMillis(100);

  /** A chunk that has ended. */
  private record Ended<T>(Chunk<T> chunk, @Nullable T result, @Nullable Throwable failure) {}

  private final StateContext ctx;
  private final BoundedThreadPool pool;
  private final Codec codec;
  private final TypeRef<T> type;
  private final List<Chunk<T>> chunks;
  private final ClassLoader classes = Thread.currentThread().getContextClassLoader();
  private final BlockingQueue<Ended<T>> ended = new LinkedBlockingQueue<>();
  private final Map<String, @Nullable T> results = new HashMap<>();
  private final Map<String, Throwable> failures = new HashMap<>();

  ChunkRunner(
      StateContext ctx,
      BoundedThreadPool pool,
      Codec codec,
      TypeRef<T> type,
      List<Chunk<T>> chunks) {
    this.ctx = ctx;
    this.pool = pool;
    this.codec = codec;
    this.type = type;
    this.chunks = List.copyOf(chunks);
    checkNames();
  }

  private void checkNames() {
    Set<String> names = new HashSet<>();
    for (Chunk<T> chunk : chunks) {
      Task.require(
          !chunk.name().isBlank()
              && chunk.name().length() <= MAX_NAME
              && StorableText.isStorable(chunk.name()),
          "name of a chunk",
          chunk.name(),
          "1 to " + MAX_NAME + " characters, not blank, " + StorableText.EXPECTED);
      if (!names.add(chunk.name())) {
        throw new InvalidRequestException(
            "Two chunks have the name '"
                + chunk.name()
                + "'; expected a name of its own for each, the same in every attempt.");
      }
    }
  }

  /** Runs the chunks and returns the results in the order of the chunks. */
  List<T> run() throws Exception {
    List<Chunk<T>> open = chunks.stream().filter(chunk -> !isStored(chunk)).toList();
    progress();
    Map<String, Future<?>> submitted = new HashMap<>();
    try {
      for (Chunk<T> chunk : open) {
        ctx.cancelToken().throwIfCancelled();
        try {
          submitted.put(chunk.name(), pool.submit(() -> ended.add(done(chunk))));
        } catch (RejectedExecutionException e) {
          ctx.cancelToken().throwIfCancelled();
          failures.put(chunk.name(), notStarted());
        }
        drain();
      }
      while (results.size() + failures.size() < chunks.size()) {
        Ended<T> one = ended.poll(MAX_WAIT.toMillis(), TimeUnit.MILLISECONDS);
        if (one != null) {
          recordEnd(one);
        } else {
          failCancelled(submitted);
        }
      }
    } finally {
      submitted.values().forEach(future -> future.cancel(true));
    }
    if (!failures.isEmpty()) {
      throw new ChunksFailedException(chunks.size(), failures);
    }
    List<T> inOrder = new ArrayList<>(chunks.size());
    chunks.forEach(chunk -> inOrder.add(results.get(chunk.name())));
    return inOrder;
  }

  private boolean isStored(Chunk<T> chunk) {
    ctx.onceResult(step(chunk), String.class)
        .ifPresent(json -> results.put(chunk.name(), codec.decode(json, type)));
    return results.containsKey(chunk.name());
  }

  private Ended<T> done(Chunk<T> chunk) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(classes);
    try {
      return new Ended<>(chunk, chunk.work().call(), null);
    } catch (Throwable failure) {
      return new Ended<>(chunk, null, failure);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** Collects results that arrived while other chunks were submitted. */
  private void drain() throws Exception {
    for (Ended<T> one = ended.poll(); one != null; one = ended.poll()) {
      recordEnd(one);
    }
  }

  /**
   * Fails chunks whose future was cancelled: a closed pool cancels waiting chunks, which then never
   * end.
   */
  private void failCancelled(Map<String, Future<?>> submitted) {
    submitted.forEach((name, future) -> {
      if (future.isCancelled()) {
        failures.putIfAbsent(name, notStarted());
      }
    });
  }

  private static CancellationException notStarted() {
    return new CancellationException("The chunk was not begun, since its node is stopping.");
  }

  private void recordEnd(Ended<T> one) throws Exception {
    if (one.failure != null) {
      failures.put(one.chunk.name(), one.failure);
    } else {
      String json = one.result == null ? "null" : codec.encode(one.result);
      ctx.once(step(one.chunk), String.class, () -> json);
      results.put(one.chunk.name(), one.result);
    }
    progress();
  }

  private void progress() {
    String failed = failures.isEmpty() ? "" : ", " + failures.size() + " failed";
    ctx.progress(results.size(), chunks.size(), "chunks" + failed);
  }

  private static String step(Chunk<?> chunk) {
    return "chunk " + chunk.name();
  }
}
