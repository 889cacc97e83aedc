package io.millrace.redis.work;

import io.millrace.lifecycle.EngineClock;
import io.millrace.redis.connect.Redis;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The idle workers of a queue, which wait on one shared connection. The first of them listens. When
 * it receives a job, the next one takes its place, so that no thread has to hand over jobs.
 * Thread-safe.
 */
final class IdleWorkers {

  /** A received job, and when the wait for it started. */
  record ReceivedJob(String id, long waitStartNanos) {}

  private final Redis.BlockingConnection line;
  private final QueueKeys queueKeys;
  private final EngineClock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean listening;

  /** True if no job may start, as the last worker that asked has found. */
  private volatile boolean paused;

  IdleWorkers(Redis.BlockingConnection line, QueueKeys queueKeys, EngineClock clock) {
    this.line = line;
    this.queueKeys = queueKeys;
    this.clock = clock;
  }

  /**
   * Waits for a job, which is moved to the processing list.
   *
   * @param isWanted checked before each wait
   * @return null when no job is wanted any more
   */
  @Nullable ReceivedJob await(BooleanSupplier isWanted) {
    if (!listen(isWanted)) {
      return null;
    }
    try {
      while (isWanted.getAsBoolean()) {
        long asked = clock.nanoTime();
        String id =
            line.move(
                queueKeys.waiting(), queueKeys.processing(), queueKeys.queue().blockTimeout());
        if (id != null) {
          return new ReceivedJob(id, asked);
        }
      }
      return null;
    } finally {
      leave();
    }
  }

  /**
   * Pauses while no job may start; the other workers wait behind this one, until {@code endPause}.
   */
  void pause(BooleanSupplier isWanted, Duration time) throws InterruptedException {
    paused = true;
    if (!listen(isWanted)) {
      return;
    }
    lock.lock();
    try {
      long left = time.toNanos();
      while (left > 0 && paused && isWanted.getAsBoolean()) {
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
      leave();
    }
  }

  /** Ends the pause of all workers, after one of them has found that jobs may start. */
  void endPause() {
    if (paused) {
      paused = false;
      wakeAll();
    }
  }

  /** Wakes the waiting workers, which check again whether a job is wanted. */
  void interruptAll() {
    wakeAll();
    line.interrupt();
  }

  private void wakeAll() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private boolean listen(BooleanSupplier isWanted) {
    lock.lock();
    try {
      while (listening && isWanted.getAsBoolean()) {
        changed.awaitUninterruptibly();
      }
      boolean mine = isWanted.getAsBoolean();
      listening |= mine;
      if (!listening) {
        // The signal is passed on, since otherwise no worker would take the place.
        changed.signal();
      }
      return mine;
    } finally {
      lock.unlock();
    }
  }

  private void leave() {
    lock.lock();
    try {
      listening = false;
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  void close() {
    line.close();
  }
}
