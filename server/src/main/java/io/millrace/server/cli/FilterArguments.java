package io.millrace.server.cli;

import static io.millrace.server.cli.CommandArgument.filterTime;
import static io.millrace.server.cli.CommandArgument.longNumber;
import static io.millrace.server.cli.CommandArgument.text;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** The arguments that select instances, the same filters as in the web UI. */
final class FilterArguments {

  /** The statuses of the HTTP interface; the commands do not depend on the engine. */
  static final List<String> STATUSES =
      List.of(
          "created",
          "inProgress",
          "executing",
          "paused",
          "manual",
          "finished",
          "failed",
          "cancelled");

  static final List<CommandArgument> ALL =
      List.of(
          text("--type TYPE", "type", "Workflow type; may be repeated.").repeated(),
          text(
                  "--status STATUS",
                  "status",
                  "created, inProgress, executing, paused, manual, finished, failed or cancelled; may"
                      + " be repeated.")
              .split(","),
          text("--state STATE", "state", "Current state."),
          text("--find KEY", "key", "Whole business key or external id."),
          text(
              "--key-prefix TEXT",
              "keyPrefix",
              "Beginning of the business key or external id, in any case."),
          text("--business-key KEY", "businessKey", ""),
          text("--external-id ID", "externalId", ""),
          longNumber("--parent ID", "parent", "Children of this instance."),
          longNumber("--executor ID", "executor", "Held by this executor."),
          text("--group GROUP", "group", "Executor group."),
          text("--failure FINGERPRINT", "failure", "A failure group; see 'millrace failures'."),
          filterTime(
              "--created-from TIME",
              "createdFrom",
              "2026-11-21T08:00:00Z, a date, or an age such as 24h or 7d."),
          filterTime("--created-to TIME", "createdTo", ""),
          filterTime("--ended-from TIME", "endedFrom", ""),
          filterTime("--ended-to TIME", "endedTo", ""),
          text("--variable NAME=VALUE", "", "A variable's value, as JSON or as plain text."));

  private FilterArguments() {}

  /** Returns the fields of a request that select the instances; empty without a filter. */
  static ObjectNode of(CommandCall call) {
    ObjectNode filter = call.fields(ALL);
    filter.path("status").forEach(status -> requireStatus(status.asString()));
    if (call.has("--variable")) {
      String variable = call.text("--variable");
      int equals = variable.indexOf('=');
      if (equals < 1) {
        throw new CliException(
            ExitCodes.USAGE, "--variable is '" + variable + "'; expected NAME=VALUE.");
      }
      filter.put("variable", variable.substring(0, equals));
      filter.put("value", variable.substring(equals + 1));
    }
    return filter;
  }

  static void requireStatus(String status) {
    if (!STATUSES.contains(status)) {
      throw new CliException(
          ExitCodes.USAGE,
          "Unknown --status '"
              + status
              + "'; expected one of "
              + String.join(", ", STATUSES)
              + ".");
    }
  }
}
