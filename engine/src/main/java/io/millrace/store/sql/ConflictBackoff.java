package io.millrace.store.sql;

import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.Waiter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The pauses of a caller whose transaction the database has rolled back because of a conflict. They
 * grow, and half of each is random, so that the same transactions do not conflict again. A caller
 * that goes on losing waits for its turn, so that it does not lose to others that have lost less.
 */
final class ConflictBackoff implements AutoCloseable {

  private static final long FIRST_MILLIS = 4;
  private static final long MAX_MILLIS = 256;
  private static final int MAX_DOUBLINGS = 6;

  /** Number of pauses after which a caller waits for its turn. */
  private static final int PAUSES_BEFORE_TURN = 3;

  /** Part of the limit that a caller waits for its turn, which one that is blocked may have. */
  private static final int TURN_PART = 8;

  private final EngineRuntime runtime;
  private final Waiter waiter;
  private final long endNanos;
  private final @Nullable ReentrantLock turns;
  private final long turnNanos;
  private int pauses;
  private boolean hasTurn;

  /**
   * @param limit the time after which nothing is retried
   */
  ConflictBackoff(EngineRuntime runtime, Duration limit) {
    this(runtime, limit, null);
  }

  /**
   * @param limit the time after which nothing is retried
   * @param turns a fair lock that all callers share
   */
  ConflictBackoff(EngineRuntime runtime, Duration limit, @Nullable ReentrantLock turns) {
    this.runtime = runtime;
    this.waiter = runtime.runner().waiter();
    this.endNanos = runtime.clock().nanoTime() + limit.toNanos();
    this.turns = turns;
    this.turnNanos = limit.toNanos() / TURN_PART;
  }

  /**
   * Waits before the next try. Returns false if the time is over, or the thread was interrupted.
   */
  boolean pause() {
    long full = Math.min(MAX_MILLIS, FIRST_MILLIS << Math.min(pauses++, MAX_DOUBLINGS));
    Duration pause = Duration.ofMillis(full / 2 + runtime.random().nextLong(full / 2 + 1));
    if (runtime.clock().nanoTime() + pause.toNanos() - endNanos > 0) {
      return false;
    }
    try {
      waiter.await(pause);
      if (turns != null && !hasTurn && pauses >= PAUSES_BEFORE_TURN) {
        hasTurn = turns.tryLock(turnNanos, TimeUnit.NANOSECONDS);
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Leaves the turn to another caller. */
  @Override
  public void close() {
    if (hasTurn && turns != null) {
      turns.unlock();
      hasTurn = false;
    }
  }
}
