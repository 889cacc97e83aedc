package io.millrace.server.api;

import io.millrace.lifecycle.EngineClock;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An answer that is good for a while; however many ask for it, one finds it out. Thread-safe. */
final class Cached<V> {

  private final EngineClock clock;
  private final long age;
  private final Supplier<V> load;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile @Nullable Entry<V> entry;

  private record Entry<V>(V value, long at) {}

  Cached(EngineClock clock, Duration age, Supplier<V> load) {
    this.clock = clock;
    this.age = age.toNanos();
    this.load = load;
  }

  V get() {
    Entry<V> known = entry;
    if (known != null && isFresh(known)) {
      return known.value;
    }
    lock.lock();
    try {
      Entry<V> again = entry;
      if (again != null && isFresh(again)) {
        return again.value;
      }
      V value = load.get();
      entry = new Entry<>(value, clock.nanoTime());
      return value;
    } finally {
      lock.unlock();
    }
  }

  private boolean isFresh(Entry<V> known) {
    return clock.nanoTime() - known.at < age;
  }
}
