package io.millrace.server;

import io.millrace.server.api.ServerInfo;
import io.millrace.server.config.ConfigSetting;
import io.millrace.server.config.LoadedConfig;
import io.millrace.server.notice.MaintenanceService;
import io.millrace.server.observe.FlowQueueProblem;
import io.millrace.server.observe.Observability;
import io.millrace.server.plugin.JarHealthChecks;
import io.millrace.server.plugin.JarState;
import io.millrace.server.plugin.PluginProblem;
import io.millrace.server.plugin.Plugins;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The schema Settings of the HTTP contract: the configuration and the jars of the server. */
record SettingsView(String version, String database, List<Entry> entries, List<Jar> plugins) {

  /** A key of the configuration; an empty value means no value. */
  record Entry(String key, String value, String origin, String meaning) {
    static Entry of(ConfigSetting configSetting) {
      String value = configSetting.value();
      return new Entry(
          configSetting.key(),
          value == null ? "" : value,
          configSetting.origin(),
          configSetting.meaning());
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

  /** The jars of this server and their health checks. */
  record Jars(Plugins plugins, JarHealthChecks health) {}

  static ServerInfo serverInfo(
      LoadedConfig loaded,
      Jars jars,
      SequenceRuntime tasks,
      Observability watching,
      MaintenanceService maintenanceService) {
    List<Entry> entries = loaded.settings().stream().map(Entry::of).toList();
    String database = loaded.config().database().shownUrl();
    return new ServerInfo(
        () ->
            new SettingsView(
                MillraceVersion.millrace(),
                database,
                entries,
                tasks.jars(jars.plugins()).stream().map(Jar::of).toList()),
        watching::scrape,
        () -> faults(jars, tasks, watching),
        () -> alerts(watching),
        loaded.config().engine().drainGrace(),
        tasks::origin,
        maintenanceService);
  }

  private static List<ServerInfo.Fault> faults(
      Jars jars, SequenceRuntime tasks, Observability watching) {
    List<ServerInfo.Fault> faults = new ArrayList<>(tasks.faults(jars.plugins()));
    for (JarHealthChecks.Failure failure : jars.health().failures()) {
      faults.add(
          new ServerInfo.Fault(
              "plugin",
              "Health check '" + failure.check() + "' of jar " + failure.jar() + " fails",
              failure.detail() + " This node is not ready until the check passes."));
    }
    watching
        .redisProblem()
        .ifPresent(why ->
            faults.add(
                new ServerInfo.Fault(
                    "redis",
                    "Redis does not answer, so its flows stand still",
                    why + " What is stored in it is as it was; workers go on when it is back.")));
    for (FlowQueueProblem one : watching.flowTroubles()) {
      faults.add(
          new ServerInfo.Fault(
              "flow", one.severity(), one.title(), one.detail(), one.since(), one.count()));
    }
    return faults;
  }

  private static List<ServerInfo.AlertView> alerts(Observability watching) {
    return watching.activeAlerts().stream()
        .map(a -> new ServerInfo.AlertView(a.rule(), a.detail(), a.since(), a.instanceId()))
        .toList();
  }
}
