package io.millrace.event;

import java.time.Duration;

/** A view of a running engine, for gauges. Thread-safe and cheap; does not read the database. */
public interface EngineView {

  /** Returns the engine's number among the executors. */
  long executorId();

  String executorGroup();

  /** Returns the current load. */
  Load load();

  /**
   * The load of an engine.
   *
   * @param held instances that it holds
   * @param queued the held instances that were claimed and not started
   * @param unsaved results and releases that are not written yet
   * @param leaseAge since the last successful renewal was sent
   * @param leaseLeft time until the executor drops the instances it holds; zero if it has
   */
  record Load(
      int held,
      int queued,
      int unsaved,
      Handlers handlers,
      Duration leaseAge,
      Duration leaseLeft) {}

  /**
   * The handlers of an engine.
   *
   * @param running number of handlers that run
   * @param limit maximum number of handlers at the same time
   * @param stuck number of running handlers beyond the threshold of the settings
   */
  record Handlers(int running, int limit, int stuck) {}
}
