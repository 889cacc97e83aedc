package io.millrace.server;

import io.millrace.server.config.DatabaseConfig;
import io.millrace.server.config.ServerConfig;
import io.millrace.server.plugin.Plugins;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/** The text that the server prints after its start. */
final class StartupBanner {

  private StartupBanner() {}

  static String of(MillraceServer server, ServerConfig config, Duration took) {
    Long executor = server.engine().executorId();
    return """
    Millrace %s on JDK %s
      address    %s
      database   %s
      executor   %s
      workflows  %s
    %s  ready after %s s; SIGTERM or Ctrl-C stops it in good order
    """
        .formatted(
            MillraceVersion.millrace(),
            MillraceVersion.java(),
            server.address(),
            database(config.database()),
            executor == null
                ? "none here: engine.autostart is false"
                : executor + " in group " + config.engine().executorGroup(),
            workflows(server.plugins(), config.work().jars()),
            login(server),
            String.format(Locale.ROOT, "%.1f", took.toMillis() / 1000.0));
  }

  private static String login(MillraceServer server) {
    return server
        .firstLogin()
        .map(login ->
            "  log in as  %s with password %s (shown once; change it there)%n"
                .formatted(login.user(), login.password()))
        .orElse("");
  }

  private static String database(DatabaseConfig databaseConfig) {
    return databaseConfig.shownUrl() + (databaseConfig.embedded() ? " (one node only)" : "");
  }

  private static String workflows(Plugins plugins, Path folder) {
    int count = plugins.workflows().size();
    String text = count == 0 ? "none" : String.valueOf(count);
    text += " from " + folder.toAbsolutePath().normalize();
    int problems = plugins.problems().size();
    return problems == 0 ? text : text + "; " + problems + " left out, see the log";
  }
}
