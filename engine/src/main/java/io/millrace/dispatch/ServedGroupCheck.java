package io.millrace.dispatch;

import io.millrace.lifecycle.IntervalThrottle;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A warning for an engine that runs no instances and starts work in a group that no executor
 * serves. Checks at most once a minute.
 */
final class ServedGroupCheck {

  private static final Logger LOG = LoggerFactory.getLogger(ServedGroupCheck.class);

  private final EngineContext engine;
  private final IntervalThrottle looks;

  ServedGroupCheck(EngineContext engine) {
    this.engine = engine;
    this.looks = new IntervalThrottle(engine.clock(), Duration.ofMinutes(1));
  }

  /** Checks on a thread of its own, since the caller may hold the last connection of the pool. */
  void check() {
    if (looks.permits()) {
      engine.runtime().runner().runOnPlatform("millrace-served-group", this::look);
    }
  }

  private void look() {
    String group = engine.settings().executorGroup();
    try {
      Instant now = engine.store().queries().now();
      Set<String> served =
          engine.store().executors().all(Duration.ZERO).stream()
              .filter(executor -> executor.isAlive(now))
              .map(executor -> executor.identity().executorGroup())
              .collect(Collectors.toCollection(TreeSet::new));
      if (!served.contains(group)) {
        LOG.warn(
            "No executor serves group '{}', to which this engine gives its instances, so that they"
                + " wait. Groups with executors: {}. Set the executorGroup of this engine to one of"
                + " them, or start an engine that runs instances in group '{}'",
            group,
            served,
            group);
      }
    } catch (RuntimeException e) {
      LOG.debug("Whether an executor serves group '{}' could not be read", group, e);
    }
  }
}
