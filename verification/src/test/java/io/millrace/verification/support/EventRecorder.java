package io.millrace.verification.support;

import io.millrace.event.EngineEvent;
import io.millrace.event.EngineListener;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** A recorder of an engine's events, on which a test waits instead of sleeping. */
public final class EventRecorder implements EngineListener {

  private final List<EngineEvent> events = new ArrayList<>();

  @Override
  public synchronized void onEvent(EngineEvent event) {
    events.add(event);
    notifyAll();
  }

  /** Waits until {@code times} events of the type match. */
  public synchronized <E extends EngineEvent> List<E> await(
      Class<E> type, int times, Predicate<E> condition) {
    long end = System.nanoTime() + Patience.LIMIT.toNanos();
    while (all(type, condition).size() < times) {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        throw new AssertionError(
            "Within "
                + Patience.LIMIT
                + " only "
                + all(type, condition).size()
                + " of "
                + times
                + " events of "
                + type.getSimpleName()
                + " came; the last events are "
                + events.subList(Math.max(0, events.size() - 20), events.size()));
      }
      waitFor(left);
    }
    return all(type, condition);
  }

  public <E extends EngineEvent> E await(Class<E> type) {
    return await(type, 1, e -> true).getFirst();
  }

  /** Waits until {@code times} transitions have been accepted that left {@code state}. */
  public void awaitTransitions(String state, int times) {
    await(EngineEvent.TransitionSaved.class, times, e -> e.transition().from().equals(state));
  }

  /** Returns the events of the type so far. */
  public synchronized <E extends EngineEvent> List<E> all(Class<E> type, Predicate<E> condition) {
    return events.stream().filter(type::isInstance).map(type::cast).filter(condition).toList();
  }

  @SuppressWarnings("WaitNotInLoop") // the caller loops on its own condition
  private void waitFor(long millis) {
    try {
      wait(millis);
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }
}
