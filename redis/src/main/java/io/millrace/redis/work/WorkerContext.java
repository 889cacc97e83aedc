package io.millrace.redis.work;

import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.flow.FlowEvent;
import io.millrace.redis.flow.FlowListener;
import io.millrace.redis.wire.JavaScriptJson;
import io.millrace.redis.wire.RedisDialect;
import io.millrace.redis.wire.UuidV7Generator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What all workers of a process share.
 *
 * @param isStrict whether only the commands of the npm package are used
 */
public record WorkerContext(
    Redis redis,
    RedisDialect dialect,
    JavaScriptJson json,
    EngineRuntime runtime,
    FlowListener listener,
    boolean isStrict) {

  private static final Logger LOG = LoggerFactory.getLogger(WorkerContext.class);

  /** A name that nothing else has. */
  String newId() {
    return new UuidV7Generator(runtime.clock(), runtime.random()).next();
  }

  long nanoTime() {
    return runtime.clock().nanoTime();
  }

  /** Tells the listener, whose faults are its own. */
  void notifyListener(FlowEvent event) {
    try {
      listener.onEvent(event);
    } catch (RuntimeException | Error e) {
      LOG.error("The listener failed at {}", event, e);
    }
  }
}
