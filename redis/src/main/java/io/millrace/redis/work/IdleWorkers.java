package io.millrace.redis.work;

import io.millrace.lifecycle.EngineClock;
import io.millrace.redis.connect.Redis;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The idle workers of a queue, which share one connection. Only one of them at a time has the place
 * at it, and waits there for a job; the others wait for the place. A worker leaves it when it
 * receives a job, and the next one takes it, so that no thread has to hand over jobs. While no job
 * may start, the worker at the place only lets time pass. Thread-safe.
 */
final class IdleWorkers {

  /** A received job, and when the wait for it started. */
  record ReceivedJob(String id, long waitStartNanos) {}

  private final Redis.BlockingConnection line;
  private final QueueKeys queueKeys;
  private final EngineClock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean placeTaken;

  /** True if no job may start, as the last worker that asked has found. */
  private volatile boolean paused;

  IdleWorkers(Redis.BlockingConnection line, QueueKeys queueKeys, EngineClock clock) {
    this.line = line;
    this.queueKeys = queueKeys;
    this.clock = clock;
  }

  /**
   * Takes the place and waits for a job, which is moved to the processing list.
   *
   * @param isWanted checked before each wait
   * @return null when no job is wanted any more
   */
  @Nullable ReceivedJob await(BooleanSupplier isWanted) {
    if (!takePlace(isWanted)) {
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
      leavePlace();
    }
  }

  /**
   * Takes the place and keeps it until the time is over or {@code endPause} is called. Other
   * workers that have found that no job may start wait for the place meanwhile.
   */
  void pause(BooleanSupplier isWanted, Duration time) throws InterruptedException {
    paused = true;
    if (!takePlace(isWanted)) {
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
      leavePlace();
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

  /**
   * Waits until no other worker has the place at the connection, and takes it.
   *
   * @return false when no job is wanted any more; the place is not taken then
   */
  private boolean takePlace(BooleanSupplier isWanted) {
    lock.lock();
    try {
      while (placeTaken && isWanted.getAsBoolean()) {
        changed.awaitUninterruptibly();
      }
      if (isWanted.getAsBoolean()) {
        placeTaken = true;
        return true;
      }
      if (!placeTaken) {
        // The signal is passed on, since otherwise no worker would take the place.
        changed.signal();
      }
      return false;
    } finally {
      lock.unlock();
    }
  }

  private void leavePlace() {
    lock.lock();
    try {
      placeTaken = false;
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  void close() {
    line.close();
  }
}
