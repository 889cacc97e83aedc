package io.millrace.redis.work;

import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.flow.FlowEvent;
import io.millrace.redis.flow.FlowListener;
import io.millrace.redis.wire.JavaScriptJson;
import io.millrace.redis.wire.UuidV7Generator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Settings and services that all workers of a process share. */
public record WorkerContext(
    Redis redis, JavaScriptJson json, EngineRuntime runtime, FlowListener listener) {

  private static final Logger LOG = LoggerFactory.getLogger(WorkerContext.class);

  /** Returns a unique id. */
  String newId() {
    return new UuidV7Generator(runtime.clock(), runtime.random()).next();
  }

  long nanoTime() {
    return runtime.clock().nanoTime();
  }

  /** Notifies the listener; its exceptions are only logged. */
  void notifyListener(FlowEvent event) {
    try {
      listener.onEvent(event);
    } catch (RuntimeException | Error e) {
      LOG.error("The listener failed at {}", event, e);
    }
  }
}
