package io.millrace.redis.flow;

/**
 * Listener of the events of jobs in this process. Many threads call it at once, among them those
 * that run handlers, so it must be quick. Exceptions are logged and have no other effect.
 */
@FunctionalInterface
public interface FlowListener {

  /** Listener that ignores all events. */
  FlowListener NONE = event -> {};

  void onEvent(FlowEvent event);
}
