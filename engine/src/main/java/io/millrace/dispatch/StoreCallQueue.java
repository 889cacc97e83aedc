package io.millrace.dispatch;

import io.millrace.definition.CancelledException;
import io.millrace.lifecycle.Loop;
import io.millrace.lifecycle.Waiter;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A queue of the store calls of handlers, a few at a time. A handler's thread waits here, and never
 * inside the database's code.
 */
final class StoreCallQueue {

  /**
   * Limit of parallel calls. More than one, so that a large comparison does not delay others, but
   * each may need a connection.
   */
  private static final int MAX_PARALLEL = 2;

  private final EngineContext engine;
  private final Queue<StoreCall<?>> waiting = new ConcurrentLinkedQueue<>();

  /**
   * The batchers that run calls. The second is created when the first is busy for the first time.
   * Guarded by itself.
   */
  private final List<Batcher<Turn, Turn>> batchers = new ArrayList<>();

  private boolean stopped;

  StoreCallQueue(EngineContext engine) {
    this.engine = engine;
    batchers.add(open());
  }

  private Batcher<Turn, Turn> open() {
    return Batcher.retrying(
        engine.runtime(),
        "millrace-store-calls",
        turns -> {
          turns.forEach(Turn::run);
          return turns;
        },
        (items, tries, fault) -> {});
  }

  /** Queues a call and wakes every batcher, so that a free one runs it. */
  private void submit(StoreCall<?> storeCall) {
    waiting.add(storeCall);
    List<Batcher<Turn, Turn>> present;
    synchronized (batchers) {
      if (batchers.size() < MAX_PARALLEL && batchers.getFirst().pending() > 0 && !stopped) {
        batchers.add(open());
      }
      present = List.copyOf(batchers);
    }
    for (Batcher<Turn, Turn> batcher : present) {
      Turn turn = new Turn();
      batcher.submit(turn, turn);
    }
  }

  /** A turn of a batcher, which runs the oldest waiting call, if any. */
  private final class Turn implements Batcher.Callback<Turn> {
    private @Nullable StoreCall<?> mine;

    private @Nullable StoreCall<?> take() {
      if (mine == null) {
        mine = waiting.poll();
      }
      return mine;
    }

    void run() {
      StoreCall<?> storeCall = take();
      if (storeCall != null) {
        storeCall.run();
      }
    }

    @Override
    public void done(Turn self) {}

    @Override
    public void failed(StoreException fault) {
      StoreCall<?> storeCall = take();
      if (storeCall != null) {
        storeCall.fail(fault);
      }
    }
  }

  /** A call, which runs once even if an adjacent call causes a retry of both. */
  private static final class StoreCall<T> {
    private final Supplier<T> request;
    private final Waiter waiter;
    private @Nullable T answer;
    private volatile boolean answered;
    private volatile @Nullable StoreException rejection;

    StoreCall(Supplier<T> request, Waiter waiter) {
      this.request = request;
      this.waiter = waiter;
    }

    void run() {
      if (!answered) {
        answer = request.get();
        answered = true;
        waiter.wake();
      }
    }

    void fail(StoreException fault) {
      if (!answered) {
        rejection = fault;
        waiter.wake();
      }
    }
  }

  /**
   * Runs a request and returns its result. A request that is under way when its handler is
   * cancelled may still be carried out.
   *
   * @throws CancelledException if the handler is cancelled meanwhile
   * @throws StoreException if the database rejects the request
   */
  <T> T run(Supplier<T> request, DefaultCancelToken token) {
    StoreCall<T> storeCall = new StoreCall<>(request, engine.runtime().runner().waiter());
    token.throwIfCancelled();
    submit(storeCall);
    Runnable wake = storeCall.waiter::wake;
    token.onCancel(wake);
    try {
      await(storeCall, token);
    } finally {
      token.remove(wake);
    }
    StoreException rejection = storeCall.rejection;
    if (rejection != null) {
      throw rejection;
    }
    T answer = storeCall.answer;
    if (answer == null) {
      throw new IllegalStateException("A request of the store was answered by null");
    }
    return answer;
  }

  private static void await(StoreCall<?> storeCall, DefaultCancelToken token) {
    while (!storeCall.answered && storeCall.rejection == null) {
      token.throwIfCancelled();
      try {
        storeCall.waiter.await(Loop.UNTIL_WOKEN);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CancelledException("The handler was interrupted while it waited for the store.");
      }
    }
  }

  void stop(Duration patience) {
    List<Batcher<Turn, Turn>> all;
    synchronized (batchers) {
      stopped = true;
      all = List.copyOf(batchers);
    }
    all.forEach(batcher -> batcher.stop(patience));
  }
}
