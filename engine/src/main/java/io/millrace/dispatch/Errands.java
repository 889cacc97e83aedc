package io.millrace.dispatch;

import io.millrace.definition.CancelToken;
import io.millrace.definition.CancelledException;
import io.millrace.lifecycle.Loop;
import io.millrace.lifecycle.Waiter;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks the store what handlers want of it, one after the other. A handler's thread waits here, and
 * never inside the database's code.
 */
final class Errands {

  private final Node node;
  private final Batcher<Errand<?>, Errand<?>> batcher;

  Errands(Node node) {
    this.node = node;
    this.batcher =
        Batcher.patient(
            node.runtime(),
            "millrace-errands",
            errands -> {
              errands.forEach(Errand::run);
              return errands;
            },
            (items, tries, fault) -> {});
  }

  /** Runs once, also when one beside it is the reason for another try of both. */
  private static final class Errand<T> implements Batcher.Reply<Errand<?>> {
    private final Supplier<T> request;
    private final Waiter waiter;
    private @Nullable T answer;
    private volatile boolean answered;
    private volatile @Nullable StoreException refusal;

    Errand(Supplier<T> request, Waiter waiter) {
      this.request = request;
      this.waiter = waiter;
    }

    void run() {
      if (answer == null) {
        answer = request.get();
      }
    }

    @Override
    public void done(Errand<?> self) {
      answered = true;
      waiter.wake();
    }

    @Override
    public void failed(StoreException fault) {
      refusal = fault;
      waiter.wake();
    }
  }

  /**
   * Answers when the store has. A request that is under way when its handler is cancelled may be
   * carried out all the same.
   *
   * @throws CancelledException when the handler is cancelled meanwhile
   * @throws StoreException when the database refuses the request
   */
  <T> T run(Supplier<T> request, CancelToken token) {
    Errand<T> errand = new Errand<>(request, node.runtime().runner().waiter());
    token.throwIfCancelled();
    batcher.submit(errand, errand);
    token.onCancel(errand.waiter::wake);
    while (!errand.answered && errand.refusal == null) {
      token.throwIfCancelled();
      try {
        errand.waiter.await(Loop.UNTIL_WOKEN);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CancelledException("The handler was interrupted while it waited for the store.");
      }
    }
    StoreException refusal = errand.refusal;
    if (refusal != null) {
      throw refusal;
    }
    T answer = errand.answer;
    if (answer == null) {
      throw new IllegalStateException("A request of the store was answered by null");
    }
    return answer;
  }

  void stop(Duration patience) {
    batcher.stop(patience);
  }
}
