package io.millrace.server.api;

import io.millrace.lifecycle.EngineClock;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A supplier whose value is kept for a while. Concurrent callers share one load. A failure is kept
 * too, because otherwise all waiting callers would wait one after another for a database that is
 * unavailable. Thread-safe.
 */
final class CachedSupplier<V> {

  private final EngineClock clock;
  private final long age;
  private final Supplier<V> load;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile @Nullable Entry<V> entry;

  private record Entry<V>(@Nullable V value, @Nullable StoreException failure, long at) {

    V get() {
      if (failure != null) {
        throw failure;
      }
      return Objects.requireNonNull(value);
    }
  }

  CachedSupplier(EngineClock clock, Duration age, Supplier<V> load) {
    this.clock = clock;
    this.age = age.toNanos();
    this.load = load;
  }

  V get() {
    Entry<V> known = entry;
    if (known != null && isFresh(known)) {
      return known.get();
    }
    lock.lock();
    try {
      Entry<V> again = entry;
      if (again == null || !isFresh(again)) {
        again = found();
        entry = again;
      }
      return again.get();
    } finally {
      lock.unlock();
    }
  }

  /** Drops the value, so that the next call loads it again. */
  void invalidate() {
    entry = null;
  }

  private Entry<V> found() {
    try {
      return new Entry<>(load.get(), null, clock.nanoTime());
    } catch (StoreException e) {
      return new Entry<>(null, e, clock.nanoTime());
    }
  }

  private boolean isFresh(Entry<V> known) {
    return clock.nanoTime() - known.at < age;
  }
}
