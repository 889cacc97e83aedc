package io.millrace.dispatch;

import io.millrace.instance.TimeLimits;
import io.millrace.instance.WorkflowInstance;
import io.millrace.lifecycle.EndSteps;
import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.Waiter;
import io.millrace.store.NewInstance;
import io.millrace.store.StartResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * The executors of an engine: the current one claims work, and its predecessors finish the
 * instances they hold. Thread-safe.
 */
public final class LocalExecutors {

  private static final Duration PAUSE = Duration.ofMillis(20);

  private final EngineClock clock;
  private final String id;
  private final List<Member> members = new CopyOnWriteArrayList<>();
  private volatile boolean stopped;

  /** An executor, and the number of callers that start instances through it. */
  private record Member(InstanceExecutor executor, AtomicInteger callers) {}

  /**
   * Creates the list without an executor. {@link #add} must come before any use of the current one.
   */
  public LocalExecutors(EngineRuntime runtime) {
    this.clock = runtime.clock();
    this.id = Long.toHexString(runtime.random().nextLong());
  }

  /**
   * Returns an id that no other engine has, unlike that of an executor, which an engine can lack.
   */
  public String engineId() {
    return id;
  }

  /** Adds an executor, which is the current one from now on. */
  public void add(InstanceExecutor next) {
    members.add(new Member(next, new AtomicInteger()));
  }

  public InstanceExecutor current() {
    return members.getLast().executor;
  }

  /** Returns true if the handler of an instance has not started; empty if it is not held here. */
  public Optional<Boolean> isQueued(long instanceId) {
    return members.stream().flatMap(one -> one.executor.isQueued(instanceId).stream()).findAny();
  }

  /** Starts instances through the current executor. Returns when they are durable. */
  public List<StartResult> start(List<NewInstance> instances) {
    Member mine = enter();
    try {
      return mine.executor.start(instances);
    } finally {
      mine.callers.decrementAndGet();
    }
  }

  /** Enters the current executor, which is not removed until it is left. */
  private Member enter() {
    while (true) {
      Member member = members.getLast();
      member.callers.incrementAndGet();
      if (member.executor.equals(current())) {
        return member;
      }
      member.callers.decrementAndGet();
    }
  }

  /** Drops an instance that an operator has changed, whichever executor holds it. */
  public void dropChanged(long instanceId, String why) {
    members.forEach(member -> member.executor.dropChanged(instanceId, why));
  }

  /** Waits for the end of an instance, at most until all executors have stopped. */
  public WorkflowInstance await(
      long instanceId, Duration limit, Supplier<WorkflowInstance> reader) {
    return current().await(instanceId, limit, reader, () -> stopped);
  }

  /** Removes a predecessor when no caller uses it, and stops its services. */
  public void remove(InstanceExecutor predecessor, Waiter waiter) {
    members.stream()
        .filter(member -> member.executor.equals(predecessor))
        .findFirst()
        .ifPresent(member -> {
          awaitCallers(member, waiter);
          predecessor.stop(Duration.ZERO);
          members.remove(member);
        });
  }

  private static void awaitCallers(Member member, Waiter waiter) {
    while (member.callers.get() > 0) {
      try {
        waiter.await(PAUSE);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /** Lets all executors stop their work within {@code grace}; instances can still be started. */
  public void drain(Duration grace) {
    forEach(grace, InstanceExecutor::drain);
  }

  /** Stops all executors within {@code grace}. */
  public void stop(Duration grace) {
    try {
      forEach(grace, InstanceExecutor::stop);
    } finally {
      stopped = true;
      members.forEach(member -> member.executor.wakeWaiters());
    }
  }

  /** Does something with one executor after another, each with what is left of the time. */
  private void forEach(Duration limit, BiConsumer<InstanceExecutor, Duration> action) {
    long end = clock.nanoTime() + TimeLimits.nanos(limit);
    EndSteps.run(
        members.stream()
            .<Runnable>map(member ->
                () ->
                    action.accept(
                        member.executor, Duration.ofNanos(Math.max(0, end - clock.nanoTime()))))
            .toArray(Runnable[]::new));
  }
}
