package io.millrace.event;

/**
 * A listener for the events of an engine. Called on the engine's threads: it must be quick and
 * thread-safe, and must not throw. A slow listener delays every save. It must not close the engine
 * or await an instance.
 */
@FunctionalInterface
public interface EngineListener {

  void onEvent(EngineEvent event);

  /**
   * Called when an engine that runs instances has started.
   *
   * @param engine a view of its current load
   */
  default void onStart(EngineView engine) {}
}
