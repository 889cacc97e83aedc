package io.millrace.dispatch;

import io.millrace.definition.CancelToken;
import io.millrace.definition.CancelledException;
import io.millrace.lifecycle.Loop;
import io.millrace.lifecycle.Waiter;
import io.millrace.store.InstanceStore;
import io.millrace.store.InstanceStore.StepRecord;
import io.millrace.store.StoreException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Makes step results durable. A handler's thread waits here, and never inside the database's code.
 */
final class StepJournal {

  private final EngineContext engine;
  private final Batcher<StepRecord, Boolean> batcher;

  StepJournal(EngineContext engine) {
    this.engine = engine;
    InstanceStore instances = engine.store().instances();
    this.batcher =
        Batcher.retrying(
            engine.runtime(),
            "millrace-steps",
            records -> records.stream().map(instances::recordStep).toList(),
            (items, tries, fault) -> {});
  }

  private static final class Pending implements Batcher.Callback<Boolean> {
    private final Waiter waiter;
    private volatile @Nullable Boolean accepted;
    private volatile @Nullable StoreException rejection;

    Pending(Waiter waiter) {
      this.waiter = waiter;
    }

    @Override
    public void done(Boolean result) {
      accepted = result;
      waiter.wake();
    }

    @Override
    public void failed(StoreException fault) {
      rejection = fault;
      waiter.wake();
    }
  }

  /**
   * Stores a result and returns when it is durable. If the handler is cancelled meanwhile, the
   * result may still become durable.
   *
   * @throws CancelledException if the lease has passed on, or the handler is cancelled meanwhile
   * @throws StoreException if the database rejects the result
   */
  void record(StepRecord result, CancelToken token) throws InterruptedException {
    Pending pending = new Pending(engine.runtime().runner().waiter());
    batcher.submit(result, pending);
    token.onCancel(pending.waiter::wake);
    while (pending.accepted == null && pending.rejection == null) {
      token.throwIfCancelled();
      pending.waiter.await(Loop.UNTIL_WOKEN);
    }
    StoreException rejection = pending.rejection;
    if (rejection != null) {
      throw rejection;
    }
    if (Boolean.FALSE.equals(pending.accepted)) {
      throw new CancelledException(
          "The lease of instance "
              + result.fence().instanceId()
              + " was lost; the result of step '"
              + result.name()
              + "' was not stored.");
    }
  }

  void stop(Duration patience) {
    batcher.stop(patience);
  }
}
