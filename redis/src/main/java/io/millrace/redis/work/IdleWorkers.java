package io.millrace.redis.work;

import io.millrace.lifecycle.EngineClock;
import io.millrace.redis.connect.Redis;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the idle workers of a queue wait, on one connection for all: the first of them listens, and
 * when it hears something the next one takes its place, so that no thread has to hand anything on.
 * Thread-safe.
 */
final class IdleWorkers {

  private static final Duration SHORT = Duration.ofMillis(100);

  /** What was heard, and when the wait for it began. */
  record ReceivedEntry(String entry, long waitStartNanos) {}

  private final Redis.BlockingConnection line;
  private final QueueKeys queueKeys;
  private final EngineClock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean listening;
  private volatile boolean resting; // as the last worker that asked was told that no job may begin

  IdleWorkers(Redis.BlockingConnection line, QueueKeys queueKeys, EngineClock clock) {
    this.line = line;
    this.queueKeys = queueKeys;
    this.clock = clock;
  }

  /**
   * Waits for an entry, which is moved to those that are worked on.
   *
   * @param isWanted looked at before each wait
   * @param once for a single short wait, where there is more to look at than this list
   * @return null when it is not wanted any more, or nothing came in the single wait
   */
  @Nullable ReceivedEntry await(BooleanSupplier isWanted, boolean once) {
    if (!listen(isWanted)) {
      return null;
    }
    try {
      while (isWanted.getAsBoolean()) {
        long asked = clock.nanoTime();
        Duration patience = queueKeys.queue().blockTimeout();
        boolean isShort = once && patience.compareTo(SHORT) > 0;
        String entry =
            line.move(queueKeys.waiting(), queueKeys.processing(), isShort ? SHORT : patience);
        if (entry != null) {
          return new ReceivedEntry(entry, asked);
        }
        if (once) {
          return null;
        }
      }
      return null;
    } finally {
      leave();
    }
  }

  /** Rests while no job may begin; the other workers wait behind this one, until {@code goOn}. */
  void rest(BooleanSupplier isWanted, Duration time) throws InterruptedException {
    resting = true;
    if (!listen(isWanted)) {
      return;
    }
    lock.lock();
    try {
      long left = time.toNanos();
      while (left > 0 && resting && isWanted.getAsBoolean()) {
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
      leave();
    }
  }

  /** Jobs may begin, as one worker has found out: the others need not rest any longer. */
  void endRest() {
    if (resting) {
      resting = false;
      wakeAll();
    }
  }

  /** Has those that wait look again whether they are wanted. */
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
        // The call to take the place is passed on, or nobody would.
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
