package io.millrace.server.cli;

import static io.millrace.server.cli.AnswerPart.each;
import static io.millrace.server.cli.AnswerPart.line;
import static io.millrace.server.cli.AnswerPart.lineIf;
import static io.millrace.server.cli.AnswerPart.lineUnless;
import static io.millrace.server.cli.AnswerPart.more;
import static io.millrace.server.cli.AnswerPart.table;
import static io.millrace.server.cli.AnswerPart.within;
import static io.millrace.server.cli.ClientCommand.command;
import static io.millrace.server.cli.CommandArgument.CURSOR;
import static io.millrace.server.cli.CommandArgument.HISTORY_REASON;
import static io.millrace.server.cli.CommandArgument.LIMIT;
import static io.millrace.server.cli.CommandArgument.decimal;
import static io.millrace.server.cli.CommandArgument.flag;
import static io.millrace.server.cli.CommandArgument.json;
import static io.millrace.server.cli.CommandArgument.longNumber;
import static io.millrace.server.cli.CommandArgument.members;
import static io.millrace.server.cli.CommandArgument.number;
import static io.millrace.server.cli.CommandArgument.text;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The commands about instances and workflow definitions. */
final class InstanceCommands {

  private static final CommandArgument ID = longNumber("ID", "", "The instance.");
  static final String PATH = "/instances/{ID}";
  private static final String VARIABLE = "{name} = {secret?(secret)|{json}}";

  /** The line of a history entry. */
  static final AnswerPart ENTRY =
      (output, entry) -> {
        boolean stayed = entry.text("{from}").equals(entry.text("{to}"));
        output.line(
            entry.text(
                "  {ended:time}  #{seq} {type}{actor? by {actor}}  {from}"
                    + (stayed ? "" : " -> {to}")
                    + "{signals? (signals: {signals})}{reason?: {reason}}{error? [{error:first}]}"));
      };

  static final List<ClientCommand> ALL =
      List.of(
          command("list", "Lists instances that match all given conditions, newest first.")
              .alias("instances")
              .with(FilterArguments.ALL)
              .with(LIMIT, CURSOR, flag("--count", "", "Only count them."))
              .runs(InstanceCommands::list),
          command("show", "Shows one instance: where it is and why, its variables, its history.")
              .with(ID, flag("--logs", "", "Show the lines that its handlers logged, too."))
              .runs(InstanceCommands::show),
          command(
                  "watch",
                  "Prints what happens to an instance until it has ended.",
                  "Exits with 0 when it finished, with 1 when it failed or was cancelled.")
              .with(
                  ID,
                  decimal("--every SECONDS", "How often to look. Default: 1.").preset("1"),
                  decimal(
                      "--timeout SECONDS",
                      "Give up after this time, with exit code 1. Default: never."))
              .runs(call -> new InstanceWatch(call).run()),
          command("start", "Starts an instance and prints its id.")
              .with(
                  text("TYPE", "type", "The workflow's type."),
                  json("--input JSON", "input", "The input; @FILE reads it from a file."),
                  members("--var NAME=JSON", "variables", "A first variable; may be repeated."),
                  number(
                      "--version-number N",
                      "version",
                      "The definition's version. Default: the newest."),
                  text("--business-key KEY", "businessKey", ""),
                  flag(
                      "--no-resume",
                      "",
                      "Ignores the checkpoints of earlier instances of the same business key."),
                  text("--external-id ID", "externalId", "Makes repeating harmless."),
                  number("--priority 0-9", "priority", "9 runs first. Default: 4."),
                  text("--at TIME", "at", "First run, as 2026-11-21T08:00:00Z. Default: now."))
              .runs(InstanceCommands::start),
          command("signal", "Sends a signal to an instance.")
              .with(
                  ID,
                  text("NAME", "name", "The signal's name."),
                  json("--payload JSON", "payload", "The payload; @FILE reads it from a file."),
                  text("--once KEY", "key", "A second signal with this key is dropped."))
              .post(PATH + "/signals")
              .says("Sent '{NAME}' to instance {ID}."),
          BulkCommands.RETRY,
          BulkCommands.CANCEL,
          BulkCommands.PAUSE,
          BulkCommands.RESUME,
          BulkCommands.WAKE,
          command("move", "Moves an instance to a state and makes it due there.")
              .with(
                  ID,
                  text("STATE", "state", "Where to."),
                  text("--from STATE", "expectedState", "Refuse unless it is there."),
                  flag(
                      "--force",
                      "force",
                      "Move it also where its definition does not permit that, and while its children"
                          + " run."),
                  HISTORY_REASON)
              .post(PATH + "/move")
              .says("Instance {ID} moved to {STATE}."),
          command("variables", "Shows the variables of an instance, or changes them.")
              .with(
                  ID,
                  members(
                      "--set NAME=VALUE",
                      "set",
                      "The value as JSON or as plain text; may be repeated."),
                  text("--remove NAME", "remove", "May be repeated.").repeated(),
                  HISTORY_REASON)
              .runs(InstanceCommands::variables),
          BulkCommands.BULK,
          command("failures", "Groups failed and parked instances by what made them fail.")
              .with(text("--type TYPE", "type", "Only of this workflow."))
              .get("/failures?limit=1000")
              .shows(
                  table(
                      ".",
                      "FINGERPRINT {fingerprint} | COUNT {count} | TYPE {type} | STATE {state}"
                          + " | LAST {last:time} | NEWEST {newestId} | REASON {reason:reason}"),
                  lineIf(".", "Retry a group: millrace retry --failure FINGERPRINT --dry-run"),
                  lineUnless(".", "Nothing has failed.")),
          command("definitions", "Lists workflow definitions, or shows one with its states.")
              .with(text("TYPE", "", "The workflow to show.").required(false))
              .runs(InstanceCommands::definitions));

  private InstanceCommands() {}

  private static int list(CommandCall call) {
    ObjectNode filter = FilterArguments.of(call);
    if (call.has("--count")) {
      return call.show(
          call.get("/instances/count?cap=1000000", filter), line("{count}{capped? or more}"));
    }
    return call.show(
        call.get("/instances?limit={--limit}", filter.setAll(call.fields(List.of(CURSOR)))),
        table(
            "items",
            "ID {id} | TYPE {type} | STATUS {status} | STATE {state} | BUSINESS KEY {businessKey}"
                + " | CREATED {created:time} | NEXT RUN {nextActivation:time}"
                + " | REASON {reason:reason}"),
        more("--cursor"));
  }

  private static int show(CommandCall call) {
    ObjectNode all = ApiClient.JSON.createObjectNode();
    all.set("instance", call.get(PATH));
    all.set("variables", call.get(PATH + "/variables"));
    JsonNode history = call.get(PATH + "/history?limit=1000");
    all.set("history", history.path("items"));
    if (call.has("--logs")) {
      all.set("logs", call.get(PATH + "/logs?limit=1000").path("items"));
    }
    return call.show(
        all,
        within(
            "instance",
            line("{type} {id}, version {version}: {status} in {state}"),
            line("{why.sentence}"),
            line("Business key {businessKey}, external id {externalId}, parent {parentId}"),
            line("Created {created:time}, entered {entered:time}, ended {ended:time}"),
            line("Input {inputSecret?(secret)|{input}}")),
        line("Variables"),
        each("variables", line("  " + VARIABLE)),
        line("History"),
        each("history", ENTRY),
        (output, values) -> {
          if (history.path("next").isNumber()) {
            output.line("  ... and more; use --json with the HTTP API for all of it");
          }
        },
        each("logs", line("  {at} {level} {message}")));
  }

  private static int start(CommandCall call) {
    ObjectNode body = call.fields();
    if (call.has("--no-resume")) {
      body.put("resume", false);
    }
    return call.say(
        "{created?Started instance {id}. Follow it: millrace watch {id}"
            + "|Instance {id} had been started before with this external id.}",
        call.post("/instances", body));
  }

  private static int variables(CommandCall call) {
    if (call.has("--set") || call.has("--remove")) {
      call.api().send("PATCH", call.path(PATH + "/variables"), call.fields(), Map.of());
    }
    return call.show(call.get(PATH + "/variables"), each(".", line(VARIABLE)));
  }

  private static int definitions(CommandCall call) {
    if (!call.has("TYPE")) {
      return call.show(
          call.get("/definitions"),
          table(
              ".",
              "TYPE {type} | VERSION {version} | RUNNABLE {runnable?yes|no}"
                  + " | INSTANCES {counts} | DESCRIPTION {description}"));
    }
    return call.show(
        call.get("/definitions/{TYPE}"),
        line("{type} version {version}: {description}"),
        InstanceCommands::states);
  }

  /** Prints the states of a definition, each with those that may follow it. */
  private static void states(CommandOutput output, TemplateValues definition) {
    JsonNode transitions = definition.value("transitions");
    table(
            "states",
            state -> state.with("next", following(state.text("{name}"), transitions)),
            "STATE {name} | KIND {type} | NEXT {next} | INSTANCES {counts} | P50 MS {timing.p50Ms}"
                + " | P95 MS {timing.p95Ms}")
        .print(output, definition);
  }

  private static String following(String state, JsonNode transitions) {
    return transitions
        .valueStream()
        .filter(transition -> transition.path("from").asString("").equals(state))
        .map(transition -> transition.path("to").asString(""))
        .collect(Collectors.joining(", "));
  }
}
