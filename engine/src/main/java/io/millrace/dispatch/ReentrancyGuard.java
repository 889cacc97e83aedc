package io.millrace.dispatch;

import io.millrace.instance.InvalidRequestException;
import org.jspecify.annotations.Nullable;

/**
 * Knows whether the current thread is inside a handler or a listener, where waiting for the engine
 * would wait for itself.
 */
final class ReentrancyGuard {

  private static final ThreadLocal<@Nullable String> WHERE = new ThreadLocal<>();

  private ReentrancyGuard() {}

  static void enter(String where) {
    WHERE.set(where);
  }

  static void leave() {
    WHERE.remove();
  }

  /** Refuses {@code call} on a thread that the engine needs to carry it out. */
  static void check(String call, String where) {
    if (where.equals(WHERE.get())) {
      throw new InvalidRequestException(
          call
              + " was called from a "
              + where
              + " of an engine, which would wait for itself; call it from another"
              + " thread.");
    }
  }
}
