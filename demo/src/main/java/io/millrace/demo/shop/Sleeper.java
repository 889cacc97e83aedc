package io.millrace.demo.shop;

import io.millrace.lifecycle.EngineRuntime;
import java.time.Duration;

/** How the time passes that the shop's partners take to answer. */
@FunctionalInterface
public interface Sleeper {

  /** Returns when this time has passed. */
  void sleep(Duration time) throws InterruptedException;

  /** Real time: the caller rests. */
  static Sleeper of(EngineRuntime runtime) {
    return time -> runtime.runner().waiter().await(time);
  }
}
