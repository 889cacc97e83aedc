package io.millrace.extension;

import io.millrace.event.EngineListener;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The running part of a feature on one executor. */
public interface ExecutorPart {

  /** Returns what applications get from {@code Engine.get} while the executor is the newest. */
  default Map<Class<?>, Object> clients() {
    return Map.of();
  }

  /** Returns the listeners for events of the executor. */
  default List<EngineListener> listeners() {
    return List.of();
  }

  /** Starts, once the executor claims work. */
  void start();

  /** Stops before the executor does, and before another takes its place. */
  void stop(Duration patience);
}
