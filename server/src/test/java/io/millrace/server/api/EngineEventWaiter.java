package io.millrace.server.api;

import io.millrace.event.EngineEvent;
import io.millrace.event.EngineListener;
import io.millrace.server.Patience;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** A listener that notifies tests when the engine has saved a transition. */
final class EngineEventWaiter implements EngineListener {

  /** Interval in milliseconds for changes outside the engine, which are noticed a little later. */
  private static final int STEP_MILLIS = 50;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition saved = lock.newCondition();

  @Override
  public void onEvent(EngineEvent event) {
    lock.lock();
    try {
      saved.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void awaitUntil(BooleanSupplier wanted) {
    int tries = Math.toIntExact(Patience.LIMIT.toMillis() / STEP_MILLIS);
    lock.lock();
    try {
      while (!wanted.getAsBoolean()) {
        boolean woken = saved.await(STEP_MILLIS, TimeUnit.MILLISECONDS);
        tries -= woken ? 0 : 1;
        if (tries < 0) {
          throw new AssertionError("It did not come about within " + Patience.LIMIT + ".");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    } finally {
      lock.unlock();
    }
  }
}
