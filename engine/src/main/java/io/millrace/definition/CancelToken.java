package io.millrace.definition;

/**
 * Tells a running handler that its result is no longer wanted: its lease was lost, it ran over its
 * time, the instance was cancelled, or the engine stops. Thread-safe.
 */
public interface CancelToken {

  boolean isCancelled();

  /**
   * Runs {@code action} when cancelled, at once when that has already happened. Meant for closing
   * what a handler blocks on.
   */
  void onCancel(Runnable action);

  /**
   * Ends the handler when cancelled.
   *
   * @throws CancelledException when cancelled
   */
  void throwIfCancelled();
}
