package io.millrace.dispatch;

import io.millrace.lifecycle.Loop;
import io.millrace.lifecycle.Waiter;
import io.millrace.store.StoreException;
import io.millrace.store.TakeRequest;
import io.millrace.store.TakeRequest.Wanted;
import io.millrace.store.TakeResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes the instances that messages have told of, many in one request, as long as handlers are free
 * for them.
 */
final class Arrivals {

  /** How long a message waits for a handler before it is offered to other nodes. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Queue<Waiter> waiting = new ConcurrentLinkedQueue<>();
  private final Node node;
  private final LeaseKeeper keeper;
  private final Worker worker;
  private final Acquisitions acquisitions;
  private final Intake intake;
  private final Batcher<Wanted, Arrival> batcher;
  private volatile boolean closed;

  Arrivals(Node node, LeaseKeeper keeper, Worker worker, Acquisitions acquisitions) {
    this.node = node;
    this.keeper = keeper;
    this.worker = worker;
    this.acquisitions = acquisitions;
    this.intake = new Intake(node);
    this.batcher = Batcher.impatient(node.runtime(), "millrace-arrivals", this::take);
  }

  /**
   * Answers when it is settled what becomes of the message; waits a while for a free handler.
   *
   * @throws StoreException when the database does not answer; the instance may be held here then
   */
  Arrival arrive(long instanceId, int seq) {
    long end = node.clock().nanoTime() + PATIENCE.toNanos();
    Arrival answer = ask(instanceId, seq);
    while (answer == Arrival.FULL && !closed && rest(end)) {
      answer = ask(instanceId, seq);
    }
    return answer;
  }

  /** Waits for a free handler; false when it has waited long enough. */
  private boolean rest(long end) {
    long left = end - node.clock().nanoTime();
    if (left <= 0) {
      return false;
    }
    Waiter waiter = node.runtime().runner().waiter();
    waiting.add(waiter);
    try {
      if (room() == 0) {
        waiter.await(Duration.ofNanos(left));
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      waiting.remove(waiter);
    }
  }

  /** A handler has ended, or a request has returned its room: let one message look again. */
  void roomChanged() {
    Waiter waiter = waiting.isEmpty() || room() < 1 ? null : waiting.poll();
    if (waiter != null) {
      waiter.wake();
    }
  }

  private Arrival ask(long instanceId, int seq) {
    Pending pending = new Pending(node.runtime().runner().waiter());
    batcher.submit(new Wanted(instanceId, seq), pending);
    return pending.await();
  }

  /** From now on nothing is taken. */
  void stop(Duration patience) {
    closed = true;
    for (Waiter waiter = waiting.poll(); waiter != null; waiter = waiting.poll()) {
      waiter.wake();
    }
    batcher.stop(patience);
  }

  private List<Arrival> take(List<Wanted> wanted) {
    List<Arrival> answers = new ArrayList<>(wanted.size());
    try (WorkQueue.Reservation room =
        worker.queue().reserveHandlers(takesWork() ? wanted.size() : 0)) {
      if (room.size() > 0) {
        accept(wanted.subList(0, room.size()), answers);
      }
    }
    while (answers.size() < wanted.size()) {
      answers.add(Arrival.FULL);
    }
    return answers;
  }

  private int room() {
    return takesWork() ? worker.queue().freeHandlers() : 0;
  }

  /**
   * False without a lease, however many handlers are free: what was taken then could be lost. False
   * on a cordoned executor.
   */
  private boolean takesWork() {
    return !closed && keeper.takesWork();
  }

  private void accept(List<Wanted> welcome, List<Arrival> answers) {
    long ticket = acquisitions.begin();
    try {
      long asked = node.clock().nanoTime();
      List<Held> taken = new ArrayList<>();
      TakeRequest request =
          new TakeRequest(
              keeper.executorId(),
              node.settings().executorGroup(),
              node.definitions().ids(),
              welcome);
      for (TakeResult result : node.store().work().take(request)) {
        answers.add(arrival(result));
        Held held =
            result instanceof TakeResult.Taken one
                ? intake.hold(one.claimed(), one.now(), asked)
                : null;
        if (held != null) {
          taken.add(held);
        }
      }
      worker.accept(taken);
    } finally {
      acquisitions.end(ticket);
    }
  }

  private static Arrival arrival(TakeResult result) {
    return switch (result) {
      case TakeResult.Taken taken -> Arrival.TAKEN;
      case TakeResult.Passed passed -> Arrival.PASSED;
      case TakeResult.Elsewhere elsewhere -> Arrival.ELSEWHERE;
      case TakeResult.Unknown unknown -> Arrival.UNKNOWN;
    };
  }

  /** A message whose receiver waits. */
  private static final class Pending implements Batcher.Reply<Arrival> {
    private final Waiter waiter;
    private volatile @Nullable Arrival arrival;
    private volatile @Nullable StoreException fault;

    Pending(Waiter waiter) {
      this.waiter = waiter;
    }

    @Override
    public void done(Arrival result) {
      arrival = result;
      waiter.wake();
    }

    @Override
    public void failed(StoreException cause) {
      fault = cause;
      waiter.wake();
    }

    Arrival await() {
      waitUntil(waiter, () -> arrival != null || fault != null);
      StoreException cause = fault;
      Arrival result = arrival;
      if (cause != null) {
        throw cause;
      }
      return result == null ? Arrival.FULL : result;
    }
  }

  /** Rests over interrupts, which are kept for the caller. */
  static void waitUntil(Waiter waiter, BooleanSupplier done) {
    boolean interrupted = false;
    while (!done.getAsBoolean()) {
      try {
        waiter.await(Loop.UNTIL_WOKEN);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
