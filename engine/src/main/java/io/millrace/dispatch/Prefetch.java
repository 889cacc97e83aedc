package io.millrace.dispatch;

import io.millrace.lifecycle.EngineClock;

/**
 * The number of instances to claim ahead: as many as handlers finished in the last half second,
 * within a limit. Guarded by its owner.
 */
final class Prefetch {

  private static final long WINDOW_NANOS = 500_000_000;

  private final EngineClock clock;
  private final int limit;
  private long windowStart;
  private int inWindow;
  private int allowed;

  Prefetch(EngineClock clock, int limit) {
    this.clock = clock;
    this.limit = limit;
    this.windowStart = clock.nanoTime();
  }

  void finished() {
    inWindow++;
  }

  int allowed() {
    long now = clock.nanoTime();
    if (now - windowStart >= WINDOW_NANOS) {
      allowed = Math.min(inWindow, limit);
      inWindow = 0;
      windowStart = now;
    }
    return Math.min(limit, Math.max(allowed, inWindow));
  }
}
