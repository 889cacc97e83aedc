package io.millrace.demo.shop;

import io.millrace.lifecycle.EngineRuntime;
import java.time.Duration;

/** The passing of the time that the shop's partners take to answer. */
@FunctionalInterface
public interface Sleeper {

  /** Returns when this time has passed. */
  void sleep(Duration time) throws InterruptedException;

  /** Returns a sleeper in real time, which blocks the caller. */
  static Sleeper of(EngineRuntime runtime) {
    return time -> runtime.runner().waiter().await(time);
  }
}
