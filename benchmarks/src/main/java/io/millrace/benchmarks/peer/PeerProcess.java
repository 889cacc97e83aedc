package io.millrace.benchmarks.peer;

/** One process of an engine. Enqueueing is thread-safe; the rest is for one thread. */
public interface PeerProcess extends AutoCloseable {
  /** Enqueues one piece of work and returns when it is durable. */
  void enqueue(WorkType workType, String payload) throws Exception;

  /**
   * Enqueues many pieces of work by the fastest means that the engine offers, and returns when all
   * are durable.
   */
  void enqueueAll(WorkType workType, int count) throws Exception;

  /** Starts to work on the enqueued work, together with all background activity of the engine. */
  void run() throws Exception;

  /**
   * Returns the number of pieces of work that are not durably done, according to the engine's
   * tables.
   */
  long unfinished() throws Exception;

  /**
   * Returns the number of pieces of work enqueued by this process that are not durably done. An
   * engine that reports durable ends to its user answers without a query.
   */
  default long pending() throws Exception {
    return unfinished();
  }

  /** Stops in an orderly way. */
  @Override
  void close();
}
