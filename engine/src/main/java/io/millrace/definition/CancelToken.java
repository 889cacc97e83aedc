package io.millrace.definition;

/**
 * A token that tells a running handler that its result is no longer wanted: its lease was lost, it
 * timed out, the instance was cancelled, or the executor stops. Thread-safe.
 */
public interface CancelToken {

  boolean isCancelled();

  /**
   * Runs {@code action} when the handler is cancelled, at once if it already is. Meant for closing
   * whatever a handler blocks on.
   */
  void onCancel(Runnable action);

  /**
   * Throws an exception if the handler is cancelled.
   *
   * @throws CancelledException if cancelled
   */
  void throwIfCancelled();
}
