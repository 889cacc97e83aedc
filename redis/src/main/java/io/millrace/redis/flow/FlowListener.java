package io.millrace.redis.flow;

/**
 * Is told what happens to jobs in this process. Called by many threads at once, by those that do
 * the work: it must be quick. What it throws is logged and has no other effect.
 */
@FunctionalInterface
public interface FlowListener {

  /** Hears nothing. */
  FlowListener NONE = event -> {};

  void onEvent(FlowEvent event);
}
