package io.millrace.dispatch;

import io.millrace.lifecycle.EngineSettings;
import io.millrace.lifecycle.Waiter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A queue that limits the places for running handlers, and the claimed instances that wait for one.
 * Instances are claimed ahead only as far as handlers are quick, so that slow work is left to other
 * executors.
 */
final class WorkQueue {

  /** Divisor of the heap: the data of leased instances may fill this part, handlers the rest. */
  private static final int HEAP_SHARE = 4;

  private final ExecutorLease lease;
  private final PollRequests polls;
  private final EngineSettings.Dispatching limits;
  private final LeasedInstances leasedInstances;
  private final OrphanedHandlers orphanedHandlers;
  private final Prefetch prefetch;
  private final Consumer<LeasedInstance> start;
  private final Deque<LeasedInstance> waiting = new ArrayDeque<>();
  private final Queue<Waiter> placeWaiters = new ConcurrentLinkedQueue<>();
  private final long maxDataSize;
  private int running;
  private int reserved;
  private boolean closed;
  private volatile boolean starved;

  /**
   * @param start starts a handler
   */
  WorkQueue(
      EngineContext engine,
      ExecutorLease lease,
      PollRequests polls,
      LeasedInstances leasedInstances,
      OrphanedHandlers orphanedHandlers,
      Consumer<LeasedInstance> start) {
    this.lease = lease;
    this.polls = polls;
    this.limits = engine.settings().dispatching();
    this.leasedInstances = leasedInstances;
    this.orphanedHandlers = orphanedHandlers;
    this.prefetch = new Prefetch(engine.clock(), limits.queueSize());
    this.start = start;
    this.maxDataSize = engine.runtime().process().maxHeap() / HEAP_SHARE;
  }

  /**
   * Room that one request has reserved. Each instance counts by itself once it was added, so the
   * whole reservation is closed afterwards.
   */
  final class Reservation implements AutoCloseable {
    private final int size;

    private Reservation(int size) {
      this.size = size;
    }

    /** Returns the maximum number of instances that the request may add. */
    int size() {
      return size;
    }

    @Override
    public void close() {
      if (size > 0) {
        synchronized (WorkQueue.this) {
          reserved -= size;
        }
        roomChanged();
      }
    }
  }

  /** Reserves room for a claim, including instances claimed ahead. */
  synchronized Reservation reserve(int most) {
    return reserve(most, room());
  }

  /** Reserves places for instances that would start at once. */
  synchronized Reservation reservePlaces(int most) {
    return reserve(most, freePlaces());
  }

  private Reservation reserve(int most, int room) {
    int size = Math.min(most, room);
    reserved += size;
    return new Reservation(size);
  }

  /** Returns the number of instances that may be claimed now. */
  synchronized int room() {
    return room(prefetch.allowed());
  }

  /** Returns the number of instances that would start at once. */
  synchronized int freePlaces() {
    return room(0);
  }

  private int room(int ahead) {
    int free = limits.concurrency() + ahead - running - waiting.size() - reserved;
    boolean full = closed || starved || leasedInstances.dataSize() >= maxDataSize;
    return full ? 0 : Math.max(0, Math.min(free, bound()));
  }

  /**
   * Returns the limit of leased instances. Results that cannot be saved count too, so that memory
   * stays bounded.
   */
  private int bound() {
    return 2 * (limits.concurrency() + limits.queueSize()) - leasedInstances.size() - reserved;
  }

  /** Returns true when it is time to claim more, in batches rather than one by one. */
  synchronized boolean runsLow() {
    return waiting.size() <= prefetch.allowed() / 2 && room() > 0;
  }

  /**
   * Requests a poll, or lets a channel message retry its claim, if there is room for more again.
   */
  void roomChanged() {
    if (requestRefill()) {
      polls.wake();
    }
    Waiter waiter =
        placeWaiters.isEmpty() || !lease.canClaim() || freePlaces() < 1
            ? null
            : placeWaiters.poll();
    if (waiter != null) {
      waiter.wake();
    }
  }

  /**
   * Requests a poll, without waking the dispatcher, if instances were left in the database and it
   * is time to claim them.
   */
  boolean requestRefill() {
    return polls.hasBacklog() && runsLow() && polls.requestBacklog();
  }

  /** Adds a waiter that is woken when a place is free. */
  void addWaiter(Waiter waiter) {
    placeWaiters.add(waiter);
  }

  void removeWaiter(Waiter waiter) {
    placeWaiters.remove(waiter);
  }

  /** Wakes all waiters for a free place. */
  void wakeWaiters() {
    for (Waiter one = placeWaiters.poll(); one != null; one = placeWaiters.poll()) {
      one.wake();
    }
  }

  /** Adds claimed instances. Returns false if the queue is closed; then none was added. */
  boolean addAll(Collection<LeasedInstance> claimed) {
    synchronized (this) {
      if (closed) {
        return false;
      }
      waiting.addAll(claimed);
    }
    startWaiting();
    return true;
  }

  /** Continues a chain, ahead of the instances that wait. Returns false if the queue is closed. */
  boolean resume(LeasedInstance leased) {
    synchronized (this) {
      if (closed) {
        return false;
      }
      waiting.addFirst(leased);
    }
    startWaiting();
    return true;
  }

  void handlerEnded() {
    synchronized (this) {
      running--;
      prefetch.finished();
    }
    startWaiting();
    roomChanged();
  }

  /** Stops claims, since the threads of handlers do not get a processor. */
  void starve() {
    starved = true;
  }

  /** Ends the starvation, since handlers start again. Returns true if there was one. */
  boolean endStarvation() {
    boolean before = starved;
    if (before) {
      starved = false;
    }
    return before;
  }

  /** Removes and returns the instances that have waited since before {@code nanos}. */
  synchronized List<LeasedInstance> removeQueuedBefore(long nanos) {
    List<LeasedInstance> late = new ArrayList<>();
    for (LeasedInstance leased : waiting) {
      if (leased.waitingSinceNanos() - nanos < 0) {
        late.add(leased);
      }
    }
    waiting.removeAll(late);
    return late;
  }

  synchronized int running() {
    return running;
  }

  /** Returns the number of claimed instances for which no thread was created. */
  synchronized int waiting() {
    return waiting.size();
  }

  /** Closes the queue: it creates no more threads. Returns the instances that have none. */
  synchronized List<LeasedInstance> close() {
    closed = true;
    List<LeasedInstance> unstarted = new ArrayList<>(waiting);
    waiting.clear();
    return unstarted;
  }

  /** Starts the instances that no longer wait for an earlier handler. */
  void startWaiting() {
    for (LeasedInstance leased = takeOne(); leased != null; leased = takeOne()) {
      start.accept(leased);
    }
  }

  private synchronized @Nullable LeasedInstance takeOne() {
    if (closed || running >= limits.concurrency() || waiting.isEmpty()) {
      return null;
    }
    LeasedInstance leased = orphanedHandlers.isEmpty() ? waiting.removeFirst() : takeUndelayed();
    if (leased != null) {
      running++;
    }
    return leased;
  }

  private @Nullable LeasedInstance takeUndelayed() {
    for (Iterator<LeasedInstance> each = waiting.iterator(); each.hasNext(); ) {
      LeasedInstance leased = each.next();
      if (!orphanedHandlers.contains(leased.id())) {
        each.remove();
        return leased;
      }
    }
    return null;
  }
}
