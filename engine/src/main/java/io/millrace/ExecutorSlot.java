package io.millrace;

import io.millrace.dispatch.InstanceExecutor;
import io.millrace.instance.TimeLimits;
import io.millrace.instance.WorkflowInstance;
import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.store.NewInstance;
import io.millrace.store.StartResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The executors of an engine: the current one takes new work, and its predecessors finish the
 * instances they hold. Thread-safe.
 */
final class ExecutorSlot {

  private final EngineClock clock;
  private final String id;
  private final List<ExecutorSession> sessions = new CopyOnWriteArrayList<>();
  private final Lock changing = new ReentrantLock();
  private volatile Runnable messages = () -> {};
  private volatile boolean closed;
  private volatile boolean stopped;

  /**
   * Creates a slot without an executor. {@link #install} must come before any use of the current
   * one.
   */
  ExecutorSlot(EngineRuntime runtime) {
    this.clock = runtime.clock();
    this.id = Long.toHexString(runtime.random().nextLong());
  }

  /**
   * Returns an id that no other engine has, unlike that of an executor, which an engine can lack.
   */
  String id() {
    return id;
  }

  void install(ExecutorSession next) {
    next.executor().onMessage(messages);
    sessions.add(next);
  }

  ExecutorSession current() {
    return sessions.getLast();
  }

  InstanceExecutor executor() {
    return current().executor();
  }

  /** Returns true if the handler of an instance has not started; empty if it is not held here. */
  Optional<Boolean> isQueued(long instanceId) {
    return sessions.stream().flatMap(one -> one.executor().isQueued(instanceId).stream()).findAny();
  }

  /** Replaces the current executor, unless the engine is being closed. */
  void replace(Supplier<ExecutorSession> successor) {
    changing.lock();
    try {
      if (!closed) {
        install(successor.get());
      }
    } finally {
      changing.unlock();
    }
  }

  void remove(ExecutorSession ended) {
    sessions.remove(ended);
  }

  /** Starts instances through the current executor. Returns when they are durable. */
  List<StartResult> start(List<NewInstance> instances) {
    ExecutorSession mine = enter();
    try {
      return mine.executor().start(instances);
    } finally {
      mine.release();
    }
  }

  /** Enters the current session. A session that has been entered cannot end until it is left. */
  private ExecutorSession enter() {
    while (true) {
      ExecutorSession session = current();
      session.acquire();
      if (session.equals(current())) {
        return session;
      }
      session.release();
    }
  }

  /** Sets a listener that is called after messages for channels were written. */
  void onMessage(Runnable listener) {
    messages = listener;
    sessions.forEach(session -> session.executor().onMessage(listener));
  }

  /** Revokes the lease on an instance that an operator has changed, whichever executor holds it. */
  void revokeLease(long instanceId, String why) {
    sessions.forEach(session -> session.executor().revokeLease(instanceId, why));
  }

  /**
   * Stops replacing executors and closes continuous workflows. Waits for a replacement under way.
   */
  void close(Duration patience) {
    changing.lock();
    try {
      closed = true;
    } finally {
      changing.unlock();
    }
    sessions.forEach(session -> session.continuous().stop(patience));
  }

  /** Stops all executors within {@code grace}. */
  void stop(Duration grace) {
    long end = clock.nanoTime() + TimeLimits.nanos(grace);
    for (ExecutorSession session : sessions) {
      session.executor().stop(Duration.ofNanos(Math.max(0, end - clock.nanoTime())));
    }
    stopped = true;
    sessions.forEach(session -> session.executor().wakeWaiters());
  }

  /** Waits for the end of an instance, at most until all executors have stopped. */
  WorkflowInstance await(long instanceId, Duration limit, Supplier<WorkflowInstance> reader) {
    return executor().await(instanceId, limit, reader, () -> stopped);
  }
}
