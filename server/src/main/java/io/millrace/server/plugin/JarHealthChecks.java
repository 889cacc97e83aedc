package io.millrace.server.plugin;

import io.millrace.HealthCheck;
import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.Loop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The health checks of all jars. Each runs every ten seconds on a thread of its own, so that a slow
 * one delays neither the others nor the requests that read the results. Thread-safe.
 */
public final class JarHealthChecks implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(JarHealthChecks.class);
  private static final Duration EVERY = Duration.ofSeconds(10);

  /** Time after which a running check counts as failed. */
  private static final Duration SLOW = Duration.ofSeconds(30);

  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final List<RunningCheck> checks = new ArrayList<>();
  private final List<Loop> loops = new ArrayList<>();

  /**
   * A check that fails now.
   *
   * @param detail the cause, for users who are logged in
   */
  public record Failure(String jar, String check, String detail) {}

  private JarHealthChecks() {}

  /** Starts the checks of all loaded jars; the result must be closed before the plugins. */
  public static JarHealthChecks start(Plugins plugins, EngineRuntime runtime) {
    JarHealthChecks health = new JarHealthChecks();
    for (Plugin plugin : plugins.loaded()) {
      plugin
          .parts()
          .checks()
          .forEach((name, check) ->
              health.checks.add(new RunningCheck(plugin.name(), name, check, runtime.clock())));
    }
    for (RunningCheck check : health.checks) {
      health.loops.add(runtime.runner().loop("millrace-health-" + check.name, check::run));
    }
    return health;
  }

  /** Returns the checks that fail now, or that have no result yet. */
  public List<Failure> failures() {
    List<Failure> failures = new ArrayList<>();
    for (RunningCheck check : checks) {
      String problem = check.problem();
      if (problem != null) {
        failures.add(new Failure(check.jar, check.name, problem));
      }
    }
    return failures;
  }

  @Override
  public void close() {
    loops.forEach(loop -> loop.stop(PATIENCE));
    loops.clear();
  }

  /** A health check with its latest result. */
  private static final class RunningCheck {
    private final String jar;
    private final String name;
    private final HealthCheck check;
    private final EngineClock clock;
    private volatile @Nullable String latest = "It has not answered yet.";
    private volatile @Nullable Long runningSince;

    RunningCheck(String jar, String name, HealthCheck check, EngineClock clock) {
      this.jar = jar;
      this.name = name;
      this.check = check;
      this.clock = clock;
    }

    Duration run() {
      runningSince = clock.nanoTime();
      String problem = null;
      try {
        check.check();
      } catch (Throwable e) {
        problem = PluginLoader.describe(e) + ".";
      }
      runningSince = null;
      report(problem);
      return EVERY;
    }

    private void report(@Nullable String problem) {
      String before = latest;
      latest = problem;
      if (problem != null && !problem.equals(before)) {
        LOG.warn("The health check '{}' of the jar '{}' fails: {}", name, jar, problem);
      } else if (problem == null && before != null) {
        LOG.info("The health check '{}' of the jar '{}' passes", name, jar);
      }
    }

    @Nullable String problem() {
      Long since = runningSince;
      if (since != null) {
        Duration running = Duration.ofNanos(clock.nanoTime() - since);
        if (running.compareTo(SLOW) > 0) {
          return "It has been running for " + running.toSeconds() + " s.";
        }
      }
      return latest;
    }
  }
}
