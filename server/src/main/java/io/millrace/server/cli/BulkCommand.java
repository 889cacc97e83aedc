package io.millrace.server.cli;

import static io.millrace.server.cli.CommandOutput.text;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "bulk",
    description = {
      "Does one thing to all instances that match a filter, or shows how far such a run is.",
      "ACTION is retry, cancel, pause, resume, wake, move or signal; without one the last runs are listed."
    })
final class BulkCommand extends ApiCommand {

  @Parameters(
      paramLabel = "ACTION|ID",
      arity = "0..1",
      description = "What to do, or the id of a run to show.")
  @Nullable String action;

  @Mixin InstanceFilterOptions filter = new InstanceFilterOptions();

  @Mixin BulkOptions options = new BulkOptions();

  @Option(names = "--to", paramLabel = "STATE", description = "For move: the state.")
  @Nullable String to;

  @Option(
      names = "--force",
      description = "For move: also where a definition does not permit it, and while children run.")
  boolean force;

  @Option(names = "--signal", paramLabel = "NAME", description = "For signal: its name.")
  @Nullable String signal;

  @Option(names = "--payload", paramLabel = "JSON", description = "For signal: its payload.")
  @Nullable String payload;

  @Option(names = "--reason", paramLabel = "TEXT", description = "Written into the histories.")
  @Nullable String reason;

  @Override
  int run(ApiClient api, CommandOutput output) {
    if (action == null) {
      return show(output, api.get("/bulk"));
    }
    if (action.chars().allMatch(Character::isDigit)) {
      return show(output, api.get("/bulk/" + action));
    }
    ObjectNode body = ApiClient.JSON.createObjectNode().put("action", action);
    ObjectNode given = filter.json();
    if (given.isEmpty()) {
      throw new CliException(
          ExitCodes.USAGE,
          "A bulk run needs a filter, such as --type order --status failed, so that it cannot touch everything by"
              + " mistake.");
    }
    body.set("filter", given);
    if (to != null) {
      body.put("state", to);
    }
    if (force) {
      body.put("force", true);
    }
    if (signal != null) {
      ObjectNode sent = body.putObject("signal").put("name", signal);
      if (payload != null) {
        sent.set("payload", JsonArguments.json("--payload", payload));
      }
    }
    if (reason != null) {
      body.put("reason", reason);
    }
    return options.run(api, output, body);
  }

  private static int show(CommandOutput output, JsonNode answer) {
    if (output.json()) {
      output.json(answer);
    } else if (answer.isArray()) {
      answer.forEach(run -> output.line(InstanceTables.bulk(run)));
      if (answer.isEmpty()) {
        output.line(
            "There were no bulk runs. Begin one: millrace bulk retry --status failed --dry-run");
      }
    } else {
      output.line(InstanceTables.bulk(answer));
      answer
          .path("refusals")
          .forEach(r -> output.line("  " + text(r, "id") + ": " + text(r, "message")));
    }
    return ExitCodes.OK;
  }
}
