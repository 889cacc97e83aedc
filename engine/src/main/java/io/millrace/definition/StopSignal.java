package io.millrace.definition;

import io.millrace.instance.StopReason;
import java.time.Instant;
import java.util.Optional;

/**
 * A signal that tells a running handler that its executor stops, and how long it may go on. A
 * handler that answers in time is saved as always. A handler that has not ended at the deadline is
 * cancelled and interrupted, and its attempt does not count: another executor restarts it.
 * Thread-safe.
 */
public interface StopSignal {

  /** Returns true once the executor has started to stop. */
  boolean requested();

  /**
   * Returns when the handler will be cancelled, by the engine's wall clock; empty before the
   * request.
   */
  Optional<Instant> deadline();

  /** Returns why the executor stops; empty before the request. */
  Optional<StopReason> reason();

  /**
   * Runs {@code action} when the executor starts to stop, at once if it already has. It runs at
   * most once, on a thread of the engine, beside the handler.
   */
  void onStop(Runnable action);
}
