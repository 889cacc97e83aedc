package io.millrace.server;

import io.millrace.server.api.Surroundings;
import io.millrace.server.api.Surroundings.Fault;
import io.millrace.server.config.LoadedConfig;
import io.millrace.server.config.Setting;
import io.millrace.server.observe.Observability;
import io.millrace.server.plugin.PluginProblem;
import io.millrace.server.plugin.Plugins;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
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
   * A jar with workflows.
   *
   * @param problem why it is left out; null if it is not
   */
  record Jar(String jar, List<String> types, @Nullable String problem) {}

  static Surroundings surroundings(
      LoadedConfig loaded, Plugins plugins, Sequencing tasks, Observability watching) {
    List<Jar> jars = new ArrayList<>();
    plugins
        .loaded()
        .forEach(jar ->
            jars.add(
                new Jar(
                    jar.name(),
                    jar.workflows().stream().map(workflow -> workflow.type()).distinct().toList(),
                    null)));
    List<Fault> faults = new ArrayList<>();
    for (PluginProblem problem : plugins.problems()) {
      String detail = problem.problem() + " " + problem.advice();
      jars.add(new Jar(problem.name(), List.of(), detail));
      faults.add(Fault.ofJar(problem.name(), detail));
    }
    Settings settings =
        new Settings(
            Version.millrace(),
            loaded.config().database().shownUrl(),
            loaded.settings().stream().map(Entry::of).toList(),
            List.copyOf(jars));
    return new Surroundings(
        () -> settings,
        watching::scrape,
        () -> Stream.concat(faults.stream(), tasks.faults(plugins).stream()).toList(),
        () -> alerts(watching),
        loaded.config().engine().drainGrace(),
        tasks::origin);
  }

  private static List<Surroundings.FiringAlert> alerts(Observability watching) {
    return watching.firing().stream()
        .map(a -> new Surroundings.FiringAlert(a.rule(), a.detail(), a.since(), a.instanceId()))
        .toList();
  }
}
