package io.millrace.server;

import io.millrace.server.api.Surroundings;
import io.millrace.server.config.LoadedConfig;
import io.millrace.server.config.Setting;
import io.millrace.server.notice.Notices;
import io.millrace.server.observe.FlowTrouble;
import io.millrace.server.observe.Observability;
import io.millrace.server.plugin.JarHealth;
import io.millrace.server.plugin.JarState;
import io.millrace.server.plugin.PluginProblem;
import io.millrace.server.plugin.Plugins;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the HTTP interface shows of the server itself: schema Settings of its contract. */
record Settings(String version, String database, List<Entry> entries, List<Jar> plugins) {

  /** A key of the configuration; an empty value is none. */
  record Entry(String key, String value, String origin, String meaning) {
    static Entry of(Setting setting) {
      String value = setting.value();
      return new Entry(
          setting.key(), value == null ? "" : value, setting.origin(), setting.meaning());
    }
  }

  /**
   * A jar with workflows or tasks.
   *
   * @param problem why it cannot be used; null if it can
   */
  record Jar(String jar, List<String> types, @Nullable String problem) {
    static Jar of(JarState state) {
      String problem =
          state.problems().stream().map(PluginProblem::detail).collect(Collectors.joining(" "));
      return new Jar(state.name(), state.types(), problem.isEmpty() ? null : problem);
    }
  }

  /** The jars of this server, and the health checks of theirs. */
  record Jars(Plugins plugins, JarHealth health) {}

  static Surroundings surroundings(
      LoadedConfig loaded, Jars jars, Sequencing tasks, Observability watching, Notices notices) {
    List<Entry> entries = loaded.settings().stream().map(Entry::of).toList();
    String database = loaded.config().database().shownUrl();
    return new Surroundings(
        () ->
            new Settings(
                Version.millrace(),
                database,
                entries,
                tasks.jars(jars.plugins()).stream().map(Jar::of).toList()),
        watching::scrape,
        () -> faults(jars, tasks, watching),
        () -> alerts(watching),
        loaded.config().engine().drainGrace(),
        tasks::origin,
        notices);
  }

  private static List<Surroundings.Fault> faults(
      Jars jars, Sequencing tasks, Observability watching) {
    List<Surroundings.Fault> faults = new ArrayList<>(tasks.faults(jars.plugins()));
    for (JarHealth.Failure failure : jars.health().failures()) {
      faults.add(
          new Surroundings.Fault(
              "plugin",
              "Health check '" + failure.check() + "' of jar " + failure.jar() + " fails",
              failure.detail() + " This node is not ready until the check passes."));
    }
    watching
        .redisProblem()
        .ifPresent(why ->
            faults.add(
                new Surroundings.Fault(
                    "redis",
                    "Redis does not answer, so its flows stand still",
                    why + " What is stored in it is as it was; workers go on when it is back.")));
    for (FlowTrouble one : watching.flowTroubles()) {
      faults.add(
          new Surroundings.Fault(
              "flow", one.severity(), one.title(), one.detail(), one.since(), one.count()));
    }
    return faults;
  }

  private static List<Surroundings.FiringAlert> alerts(Observability watching) {
    return watching.firing().stream()
        .map(a -> new Surroundings.FiringAlert(a.rule(), a.detail(), a.since(), a.instanceId()))
        .toList();
  }
}
