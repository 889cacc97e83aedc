package io.millrace.event;

/**
 * Is told what an engine does. Called on the engine's threads: must be quick, thread-safe, and must
 * not throw; a slow one delays every save. It must not close the engine or await an instance.
 */
@FunctionalInterface
public interface EngineListener {

  void onEvent(EngineEvent event);

  /**
   * An engine that runs instances has begun.
   *
   * @param engine to look into it from time to time
   */
  default void onStart(EngineView engine) {}
}
