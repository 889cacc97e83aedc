package io.millrace.server.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** One thing done to the instances that are named, or to all that match a filter. */
abstract class DeedCommand extends Connection {

  @Parameters(
      paramLabel = "ID",
      arity = "0..*",
      description = "Instances; or give a filter instead.")
  List<Long> ids = List.of();

  @Mixin Filter filter = new Filter();

  @Mixin BulkOptions options = new BulkOptions();

  @Option(names = "--reason", paramLabel = "TEXT", description = "Written into the history.")
  @Nullable String reason;

  /** The last part of the path, which is also the name of the bulk action. */
  abstract String action();

  @Override
  int run(ApiClient api, Screen screen) {
    ObjectNode given = filter.json();
    if (ids.isEmpty() == given.isEmpty()) {
      throw new CliException(
          ExitCode.USAGE,
          "Give either ids of instances or a filter such as --status failed --type order; see 'millrace help "
              + action()
              + "'.");
    }
    return ids.isEmpty() ? all(api, screen, given) : each(api, screen);
  }

  private int each(ApiClient api, Screen screen) {
    if (options.dryRun) {
      throw new CliException(ExitCode.USAGE, "--dry-run goes with a filter, not with ids.");
    }
    ObjectNode body = ApiClient.JSON.createObjectNode();
    if (reason != null) {
      body.put("reason", reason);
    }
    int worst = ExitCode.OK;
    ArrayNode told = ApiClient.JSON.createArrayNode();
    for (long id : ids) {
      try {
        api.post("/instances/" + id + "/" + action(), body);
        tell(screen, told, id, true, action() + " done.");
      } catch (CliException e) {
        if (e.exitCode() == ExitCode.UNREACHABLE || ids.size() == 1) {
          throw e;
        }
        tell(screen, told, id, false, String.valueOf(e.getMessage()));
        worst = Math.max(worst, e.exitCode());
      }
    }
    if (screen.json()) {
      screen.json(told);
    }
    return worst;
  }

  private static void tell(Screen screen, ArrayNode told, long id, boolean done, String text) {
    if (screen.json()) {
      told.addObject().put("id", id).put("done", done).put("message", text);
    } else {
      screen.line("Instance " + id + ": " + text);
    }
  }

  private int all(ApiClient api, Screen screen, JsonNode given) {
    ObjectNode body = ApiClient.JSON.createObjectNode().put("action", action());
    body.set("filter", given);
    if (reason != null) {
      body.put("reason", reason);
    }
    return options.run(api, screen, body);
  }
}
