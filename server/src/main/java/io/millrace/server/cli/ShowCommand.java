package io.millrace.server.cli;

import static io.millrace.server.cli.CommandOutput.text;
import static io.millrace.server.cli.CommandOutput.time;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "show",
    description = "Shows one instance: where it is and why, its variables, its history.")
final class ShowCommand extends ApiCommand {

  @Parameters(paramLabel = "ID", description = "The instance.")
  long id;

  @Option(names = "--logs", description = "Show the lines that its handlers logged, too.")
  boolean logs;

  @Override
  int run(ApiClient api, CommandOutput output) {
    String path = "/instances/" + id;
    JsonNode instance = api.get(path);
    JsonNode variables = api.get(path + "/variables");
    JsonNode actions = api.get(path + "/actions?limit=1000");
    JsonNode lines = logs ? api.get(path + "/logs?limit=1000") : ApiClient.JSON.missingNode();
    if (output.json()) {
      ObjectNode all = ApiClient.JSON.createObjectNode();
      all.set("instance", instance);
      all.set("variables", variables);
      all.set("actions", actions.path("items"));
      if (logs) {
        all.set("logs", lines.path("items"));
      }
      output.json(all);
      return ExitCodes.OK;
    }
    head(output, instance);
    output.line("Variables");
    variables.forEach(v -> output.line("  " + VariablesCommand.line(v)));
    output.line("History");
    InstanceTables.actions(output, actions.path("items"));
    if (actions.path("next").isNumber()) {
      output.line("  ... and more; use --json with the HTTP API for all of it");
    }
    lines
        .path("items")
        .forEach(l ->
            output.line("  " + text(l, "at") + " " + text(l, "level") + " " + text(l, "message")));
    return ExitCodes.OK;
  }

  private static void head(CommandOutput output, JsonNode i) {
    output.line(
        "%s %s, version %s: %s in %s"
            .formatted(
                text(i, "type"),
                text(i, "id"),
                text(i, "version"),
                text(i, "status"),
                text(i, "state")));
    output.line(text(i.path("why"), "sentence"));
    output.line(
        "Business key %s, external id %s, parent %s"
            .formatted(text(i, "businessKey"), text(i, "externalId"), text(i, "parentId")));
    output.line(
        "Created %s, entered %s, ended %s"
            .formatted(time(i, "created"), time(i, "entered"), time(i, "ended")));
    output.line("Input " + (i.path("inputSecret").asBoolean() ? "(secret)" : text(i, "input")));
  }
}
