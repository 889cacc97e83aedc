package io.millrace.server.cli;

import static io.millrace.server.cli.Screen.text;
import static io.millrace.server.cli.Screen.time;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "show",
    description = "Shows one instance: where it is and why, its variables, its history.")
final class ShowCommand extends Connection {

  @Parameters(paramLabel = "ID", description = "The instance.")
  long id;

  @Option(names = "--logs", description = "Show the lines that its handlers logged, too.")
  boolean logs;

  @Override
  int run(ApiClient api, Screen screen) {
    String path = "/instances/" + id;
    JsonNode instance = api.get(path);
    JsonNode variables = api.get(path + "/variables");
    JsonNode actions = api.get(path + "/actions?limit=1000");
    JsonNode lines = logs ? api.get(path + "/logs?limit=1000") : ApiClient.JSON.missingNode();
    if (screen.json()) {
      ObjectNode all = ApiClient.JSON.createObjectNode();
      all.set("instance", instance);
      all.set("variables", variables);
      all.set("actions", actions.path("items"));
      if (logs) {
        all.set("logs", lines.path("items"));
      }
      screen.json(all);
      return ExitCode.OK;
    }
    head(screen, instance);
    screen.line("Variables");
    variables.forEach(v -> screen.line("  " + VariablesCommand.line(v)));
    screen.line("History");
    Tables.actions(screen, actions.path("items"));
    if (actions.path("next").isNumber()) {
      screen.line("  ... and more; use --json with the HTTP API for all of it");
    }
    lines
        .path("items")
        .forEach(l ->
            screen.line("  " + text(l, "at") + " " + text(l, "level") + " " + text(l, "message")));
    return ExitCode.OK;
  }

  private static void head(Screen screen, JsonNode i) {
    screen.line(
        "%s %s, version %s: %s in %s"
            .formatted(
                text(i, "type"),
                text(i, "id"),
                text(i, "version"),
                text(i, "status"),
                text(i, "state")));
    screen.line(text(i.path("why"), "sentence"));
    screen.line(
        "Business key %s, external id %s, parent %s"
            .formatted(text(i, "businessKey"), text(i, "externalId"), text(i, "parentId")));
    screen.line(
        "Created %s, entered %s, ended %s"
            .formatted(time(i, "created"), time(i, "entered"), time(i, "ended")));
    screen.line("Input " + (i.path("inputSecret").asBoolean() ? "(secret)" : text(i, "input")));
  }
}
