package io.millrace.benchmarks.peer;

/** One process of an engine. Enqueueing is thread-safe; the rest is for one thread. */
public interface PeerProcess extends AutoCloseable {
  /** Enqueues one piece of work and returns when it is durable. */
  void enqueue(WorkType workType, String payload) throws Exception;

  /**
   * Enqueues many pieces of work in the quickest way that the engine offers, and returns when all
   * are durable.
   */
  void enqueueAll(WorkType workType, int count) throws Exception;

  /** Begins to work on what is enqueued, with everything the engine does by the side. */
  void run() throws Exception;

  /** How many pieces of work are not durably done, asked of the engine's tables. */
  long unfinished() throws Exception;

  /**
   * The same for what this process has enqueued, where the engine tells its user when something is
   * durable, so that asking costs nothing.
   */
  default long pending() throws Exception {
    return unfinished();
  }

  /** Stops working in good order. */
  @Override
  void close();
}
