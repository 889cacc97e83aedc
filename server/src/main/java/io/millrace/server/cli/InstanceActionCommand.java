package io.millrace.server.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** An action on the named instances, or on all that match a filter. */
abstract class InstanceActionCommand extends ApiCommand {

  @Parameters(
      paramLabel = "ID",
      arity = "0..*",
      description = "Instances; or give a filter instead.")
  List<Long> ids = List.of();

  @Mixin InstanceFilterOptions filter = new InstanceFilterOptions();

  @Mixin BulkOptions options = new BulkOptions();

  @Option(names = "--reason", paramLabel = "TEXT", description = "Written into the history.")
  @Nullable String reason;

  /** Returns the last part of the path, which is also the name of the bulk action. */
  abstract String action();

  /** Adds the fields that this action needs besides a reason, for named instances. */
  void addTo(ObjectNode body) {}

  @Override
  int run(ApiClient api, CommandOutput output) {
    ObjectNode given = filter.json();
    if (ids.isEmpty() == given.isEmpty()) {
      throw new CliException(
          ExitCodes.USAGE,
          "Give either ids of instances or a filter such as --status failed --type order; see"
              + " 'millrace help "
              + action()
              + "'.");
    }
    return ids.isEmpty() ? all(api, output, given) : each(api, output);
  }

  private int each(ApiClient api, CommandOutput output) {
    if (options.dryRun) {
      throw new CliException(ExitCodes.USAGE, "--dry-run goes with a filter, not with ids.");
    }
    ObjectNode body = ApiClient.JSON.createObjectNode();
    addTo(body);
    if (reason != null) {
      body.put("reason", reason);
    }
    int worst = ExitCodes.OK;
    ArrayNode told = ApiClient.JSON.createArrayNode();
    for (long id : ids) {
      try {
        api.post("/instances/" + id + "/" + action(), body);
        tell(output, told, id, true, action() + " done.");
      } catch (CliException e) {
        if (e.exitCode() == ExitCodes.UNREACHABLE || ids.size() == 1) {
          throw e;
        }
        tell(output, told, id, false, String.valueOf(e.getMessage()));
        worst = Math.max(worst, e.exitCode());
      }
    }
    if (output.json()) {
      output.json(told);
    }
    return worst;
  }

  private static void tell(
      CommandOutput output, ArrayNode told, long id, boolean done, String text) {
    if (output.json()) {
      told.addObject().put("id", id).put("done", done).put("message", text);
    } else {
      output.line("Instance " + id + ": " + text);
    }
  }

  private int all(ApiClient api, CommandOutput output, JsonNode given) {
    ObjectNode own = ApiClient.JSON.createObjectNode();
    addTo(own);
    if (!own.isEmpty()) {
      throw new CliException(ExitCodes.USAGE, "--from goes with ids; a filter has --state.");
    }
    ObjectNode body = ApiClient.JSON.createObjectNode().put("action", action());
    body.set("filter", given);
    if (reason != null) {
      body.put("reason", reason);
    }
    return options.run(api, output, body);
  }
}
