package io.millrace.server.cli;

import static io.millrace.server.cli.AnswerPart.each;
import static io.millrace.server.cli.AnswerPart.line;
import static io.millrace.server.cli.AnswerPart.lineUnless;
import static io.millrace.server.cli.ClientCommand.command;
import static io.millrace.server.cli.CommandArgument.HISTORY_REASON;
import static io.millrace.server.cli.CommandArgument.flag;
import static io.millrace.server.cli.CommandArgument.json;
import static io.millrace.server.cli.CommandArgument.longNumber;
import static io.millrace.server.cli.CommandArgument.text;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The commands that act on several instances: those with these ids, or all that match a filter. */
final class BulkCommands {

  /**
   * The options of a bulk run. It first counts the instances, and starts only with the confirmed
   * count.
   */
  private static final List<CommandArgument> CONFIRMATION =
      List.of(
          flag("--dry-run", "", "With a filter: only count what would be touched."),
          longNumber(
              "--yes COUNT",
              "",
              "With a filter: do it, if this many match. --dry-run tells the count."));

  private static final String RUN =
      "Bulk run {id} ({action}): {status}, {done} of {total} done, {succeeded} succeeded,"
          + " {refused} refused.";

  static final ClientCommand RETRY =
      action("retry", "Runs the current state again now, with fresh attempts.");
  static final ClientCommand CANCEL = action("cancel", "Ends instances as cancelled.");
  static final ClientCommand PAUSE =
      action("pause", "Keeps instances from running until they are resumed.");
  static final ClientCommand RESUME = action("resume", "Ends a pause.");
  static final ClientCommand WAKE =
      action("wake", "Makes instances due now.")
          .with(text("--from STATE", "expectedState", "Refuse unless it is there; goes with ids."));

  static final ClientCommand BULK =
      command(
              "bulk",
              "Does one thing to all instances that match a filter, or shows how far such a run is.",
              "ACTION is retry, cancel, pause, resume, wake, move or signal; without one the last runs"
                  + " are listed.")
          .with(text("ACTION|ID", "", "What to do, or the id of a run to show.").required(false))
          .with(FilterArguments.ALL)
          .with(CONFIRMATION)
          .with(
              text("--to STATE", "", "For move: the state."),
              flag(
                  "--force",
                  "",
                  "For move: also where a definition does not permit it, and while children run."),
              text("--signal NAME", "", "For signal: its name."),
              json("--payload JSON", "", "For signal: its payload."),
              text("--reason TEXT", "reason", "Written into the histories."))
          .runs(BulkCommands::bulk);

  private BulkCommands() {}

  private static ClientCommand action(String name, String description) {
    return command(name, description)
        .with(
            longNumber("ID", "", "Instances; or give a filter instead.").repeated().required(false))
        .with(FilterArguments.ALL)
        .with(CONFIRMATION)
        .with(HISTORY_REASON)
        .runs(BulkCommands::act);
  }

  private static int act(CommandCall call) {
    String action = call.command().name();
    ObjectNode filter = FilterArguments.of(call);
    if (call.has("ID") != filter.isEmpty()) {
      throw new CliException(
          ExitCodes.USAGE,
          "Give either ids of instances or a filter such as --status failed --type order; see"
              + " 'millrace help "
              + action
              + "'.");
    }
    if (call.has("ID")) {
      return actOnEach(call, action);
    }
    if (call.has("--from")) {
      throw new CliException(ExitCodes.USAGE, "--from goes with ids; a filter has --state.");
    }
    return confirmed(call, body(call, action, filter));
  }

  private static int actOnEach(CommandCall call, String action) {
    if (call.has("--dry-run")) {
      throw new CliException(ExitCodes.USAGE, "--dry-run goes with a filter, not with ids.");
    }
    ObjectNode body = call.fields();
    int worst = ExitCodes.OK;
    ArrayNode told = ApiClient.JSON.createArrayNode();
    JsonNode ids = call.given().path("ID");
    for (JsonNode id : ids) {
      ObjectNode one = told.addObject();
      one.set("id", id);
      try {
        call.post("/instances/" + id + "/" + action, body);
        one.put("done", true).put("message", action + " done.");
      } catch (CliException e) {
        if (e.exitCode() == ExitCodes.UNREACHABLE || ids.size() == 1) {
          throw e;
        }
        one.put("done", false).put("message", e.getMessage());
        worst = Math.max(worst, e.exitCode());
      }
      if (!call.output().json()) {
        call.show(one, line("Instance {id}: {message}"));
      }
    }
    if (call.output().json()) {
      call.output().json(told);
    }
    return worst;
  }

  private static int bulk(CommandCall call) {
    String action = call.text("ACTION|ID");
    if (action.isEmpty()) {
      return call.show(
          call.get("/bulk"),
          each(".", line(RUN)),
          lineUnless(
              ".",
              "There were no bulk runs. Begin one: millrace bulk retry --status failed"
                  + " --dry-run"));
    }
    if (action.chars().allMatch(Character::isDigit)) {
      return call.show(
          call.get("/bulk/" + action), line(RUN), each("refusals", line("  {id}: {message}")));
    }
    ObjectNode filter = FilterArguments.of(call);
    if (filter.isEmpty()) {
      throw new CliException(
          ExitCodes.USAGE,
          "A bulk run needs a filter, such as --type order --status failed, so that it cannot touch everything by"
              + " mistake.");
    }
    return confirmed(call, body(call, action, filter));
  }

  private static ObjectNode body(CommandCall call, String action, ObjectNode filter) {
    ObjectNode body = ApiClient.JSON.createObjectNode().put("action", action);
    body.set("filter", filter);
    if (call.has("--to")) {
      body.put("state", call.text("--to"));
    }
    if (call.has("--force")) {
      body.put("force", true);
    }
    if (call.has("--signal")) {
      ObjectNode signal = body.putObject("signal").put("name", call.text("--signal"));
      if (call.has("--payload")) {
        signal.set("payload", call.given().path("--payload"));
      }
    }
    if (call.has("--reason")) {
      body.put("reason", call.text("--reason"));
    }
    return body;
  }

  /** Counts the instances, or starts the run that {@code body} describes. */
  private static int confirmed(CommandCall call, ObjectNode body) {
    if (!call.has("--dry-run") && call.has("--yes")) {
      body.put("expectedCount", call.number("--yes"));
      Map<String, String> once = Map.of("Idempotency-Key", UUID.randomUUID().toString());
      return call.show(
          call.api().send("POST", "/bulk", body, once),
          line(RUN + " Follow it: millrace watch {id}"));
    }
    JsonNode matching = call.post("/bulk", body.put("dryRun", true));
    boolean one = matching.path("count").asLong(0) == 1;
    call.show(
        matching,
        line(
            "{count}{capped? or more} "
                + (one ? "instance matches." : "instances match.")
                + "{--dry-run?| Nothing was done: add --yes {count}.}"));
    return call.has("--dry-run") ? ExitCodes.OK : ExitCodes.USAGE;
  }
}
