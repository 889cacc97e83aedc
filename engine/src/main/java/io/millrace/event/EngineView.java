package io.millrace.event;

import java.time.Duration;

/** A look into a running engine, for gauges. Thread-safe; cheap, and without the database. */
public interface EngineView {

  /** The engine's number among the executors. */
  long executorId();

  String executorGroup();

  /** Returns the current load. */
  Load load();

  /**
   * The load of an engine.
   *
   * @param held instances that it holds
   * @param queued of these, claimed and not begun
   * @param unsaved results and releases that are not written yet
   * @param leaseAge since the last successful renewal was sent
   * @param leaseLeft until this engine gives up what it holds; zero when it has
   */
  record Load(
      int held,
      int queued,
      int unsaved,
      Handlers handlers,
      Duration leaseAge,
      Duration leaseLeft) {}

  /**
   * Handlers.
   *
   * @param limit the most that run at the same time
   * @param stuck of the running ones, those beyond the threshold of the settings
   */
  record Handlers(int running, int limit, int stuck) {}
}
