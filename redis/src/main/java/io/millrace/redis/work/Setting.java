package io.millrace.redis.work;

import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.flow.FlowEvent;
import io.millrace.redis.flow.FlowListener;
import io.millrace.redis.wire.Dialect;
import io.millrace.redis.wire.JsText;
import io.millrace.redis.wire.Uuidv7;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What all workers of a process share.
 *
 * @param isStrict whether only the commands of the npm package are used
 */
public record Setting(
    Redis redis,
    Dialect dialect,
    JsText json,
    EngineRuntime runtime,
    FlowListener listener,
    boolean isStrict) {

  private static final Logger LOG = LoggerFactory.getLogger(Setting.class);

  /** A name that nothing else has. */
  String newId() {
    return new Uuidv7(runtime.clock(), runtime.random()).next();
  }

  long nanoTime() {
    return runtime.clock().nanoTime();
  }

  /** Tells the listener, whose faults are its own. */
  void tell(FlowEvent event) {
    try {
      listener.onEvent(event);
    } catch (RuntimeException | Error e) {
      LOG.error("The listener failed at {}", event, e);
    }
  }
}
