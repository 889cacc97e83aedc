package io.millrace.dispatch;

import io.millrace.instance.InvalidRequestException;
import org.jspecify.annotations.Nullable;

/**
 * A record of whether the current thread is inside a handler or a listener, where waiting for the
 * engine would deadlock.
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

  /** Throws if {@code call} is made on a thread that the engine needs to carry it out. */
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
