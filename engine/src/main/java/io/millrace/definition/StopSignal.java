package io.millrace.definition;

import io.millrace.instance.StopReason;
import java.time.Instant;
import java.util.Optional;

/**
 * Tells a running handler that its executor stops, and how long it may still go on. A handler that
 * answers in time is saved as always; one that has not ended at the deadline is cancelled and
 * interrupted, and its attempt does not count: another executor begins it anew. Thread-safe.
 */
public interface StopSignal {

  /** True from the moment at which the executor begins to stop. */
  boolean requested();

  /**
   * Returns when the handler will be cancelled, by the engine's wall clock; empty before the
   * request.
   */
  Optional<Instant> deadline();

  /** Returns why the executor stops; empty before the request. */
  Optional<StopReason> reason();

  /**
   * Runs {@code action} when the executor begins to stop, at once when it has begun. At most once,
   * on a thread of the engine's, beside the handler.
   */
  void onStop(Runnable action);
}
