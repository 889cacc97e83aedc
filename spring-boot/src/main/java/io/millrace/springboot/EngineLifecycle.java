package io.millrace.springboot;

import io.millrace.Engine;
import io.millrace.lifecycle.EngineRuntime;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Starts the engine after everything else in the application, and stops it before everything else,
 * so that handlers find all that they use. It has the last phase. The client works until the
 * context is closed, since requests may still run.
 */
final class EngineLifecycle implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(EngineLifecycle.class);

  /** Time that the engine has after the grace to cancel handlers and release instances. */
  private static final Duration AFTER_GRACE = Duration.ofSeconds(10);

  private final Engine engine;
  private final Duration grace;
  private volatile boolean running;

  /**
   * @param grace how long handlers may go on at the stop before they are cancelled
   */
  EngineLifecycle(Engine engine, Duration grace) {
    this.engine = engine;
    this.grace = grace;
  }

  /**
   * Returns the grace of handlers, which ends before the context goes on without the engine.
   *
   * @param wanted null for as much as possible
   * @param phase time that the context waits for the beans of a phase
   */
  static Duration grace(@Nullable Duration wanted, Duration phase) {
    Duration half = phase.dividedBy(2);
    Duration shortened = phase.minus(AFTER_GRACE);
    Duration limit = shortened.compareTo(half) < 0 ? half : shortened;
    return wanted == null || wanted.compareTo(limit) > 0 ? limit : wanted;
  }

  @Override
  public void start() {
    engine.start();
    running = true;
  }

  @Override
  public void stop() {
    engine.stop(grace);
    running = false;
  }

  /** Stops without blocking the caller, which waits for all beans of this phase together. */
  @Override
  public void stop(Runnable callback) {
    EngineRuntime.system()
        .runner()
        .runOnPlatform(
            "millrace-stop",
            () -> {
              try {
                stop();
              } catch (RuntimeException e) {
                LOG.error("A step of the stop of the engine failed", e);
              } finally {
                callback.run();
              }
            });
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  /** Returns false: an engine that was stopped cannot be started again. Only Spring 7 asks this. */
  @SuppressWarnings("MissingOverride")
  public boolean isPauseable() {
    return false;
  }
}
