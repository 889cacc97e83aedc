package io.millrace.server.cli;

import static io.millrace.server.cli.AnswerPart.each;
import static io.millrace.server.cli.AnswerPart.line;
import static io.millrace.server.cli.AnswerPart.more;
import static io.millrace.server.cli.AnswerPart.table;
import static io.millrace.server.cli.ClientCommand.command;
import static io.millrace.server.cli.ClientCommand.group;
import static io.millrace.server.cli.CommandArgument.CURSOR;
import static io.millrace.server.cli.CommandArgument.LIMIT;
import static io.millrace.server.cli.CommandArgument.REASON;
import static io.millrace.server.cli.CommandArgument.flag;
import static io.millrace.server.cli.CommandArgument.longNumber;
import static io.millrace.server.cli.CommandArgument.number;
import static io.millrace.server.cli.CommandArgument.text;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The commands about executors and nodes, and the audit. */
final class ExecutorCommands {

  private static final CommandArgument EXECUTOR =
      longNumber("EXECUTOR", "", "Its id; see 'millrace executors'.");
  private static final CommandArgument ROLLOUT =
      longNumber("ID", "", "See 'millrace rollout list'.");
  private static final CommandArgument NODES =
      text("NODE", "nodes", "Names of nodes. Default: all that are at work.")
          .repeated()
          .required(false);
  private static final String BEGUN = "Rollout {id} has begun. Look: millrace rollout show {id}";

  private static final AnswerPart[] POLICY = {
    line(
        "Recycles are {enabled?on|off}; {changed?set at {changed:time}|as the configuration says}."),
    line("  daily from {at} {zone}, spread over {windowSeconds} seconds"),
    line("  at an age of {maxAgeSeconds} seconds"),
    line("  when {memoryPercent} percent of the heap stay full"),
    line("  next: {nextLocal}, that is {nextUtc:time}")
  };

  static final List<ClientCommand> ALL =
      List.of(
          command("executors", "Lists the processes that work, and those that ended lately.")
              .get("/executors")
              .shows(
                  table(
                      ".",
                      "ID {id} | STATUS {status} | PROCESS {host}:{pid} | GROUP {group}"
                          + " | BUSY {runningHandlers}/{concurrency} | HELD {held}"
                          + " | HEARTBEAT {heartbeat} | VERSION {version}")),
          command("drain", "Asks an executor to stop in good order.")
              .with(
                  EXECUTOR,
                  REASON,
                  number(
                      "--grace SECONDS",
                      "graceSeconds",
                      "How long handlers may go on. Default: the executor's own."))
              .post("/executors/{EXECUTOR}/drain")
              .says("Executor {EXECUTOR} is asked to drain. Look: millrace executors"),
          command("cordon", "Stops an executor from claiming work; what it holds goes on.")
              .with(EXECUTOR, REASON)
              .post("/executors/{EXECUTOR}/cordon")
              .says("Executor {EXECUTOR} is asked to cordon. Look: millrace executors"),
          command("uncordon", "Lets a cordoned executor claim work again.")
              .with(EXECUTOR, REASON)
              .post("/executors/{EXECUTOR}/uncordon")
              .says("Executor {EXECUTOR} is asked to uncordon. Look: millrace executors"),
          group(
              "rollout",
              "Replaces nodes, one after another.",
              command("start", "Begins a rollout, behind one that is under way.")
                  .with(
                      NODES,
                      number(
                          "--grace SECONDS",
                          "graceSeconds",
                          "How long handlers may go on. Default: each executor's own."),
                      number(
                          "--min-ready SECONDS",
                          "minReadySeconds",
                          "How long a node has to be ready before the next one leaves. Default: 30."),
                      number(
                          "--patience SECONDS",
                          "patienceSeconds",
                          "How long a node may stay away before the rollout pauses. Default: 600."),
                      REASON)
                  .post("/rollouts")
                  .says(BEGUN),
              command("list", "Lists the newest rollouts and recycles.")
                  .get("/rollouts")
                  .shows(
                      table(
                          ".",
                          "ID {id} | REASON {reason} | PHASE {phase} | BACK {done}/{nodes:size}"
                              + " | STARTED {started:time} | WHY {why}")),
              command("show", "Shows how far a rollout is, and what holds it.")
                  .with(ROLLOUT)
                  .runs(ExecutorCommands::showRollout),
              command("pause", "Has it drain no further node.")
                  .with(ROLLOUT, REASON)
                  .post("/rollouts/{ID}/pause")
                  .says(
                      "Rollout {ID} drains no further node; one that is being replaced still is."),
              command("resume", "Has a paused rollout go on.")
                  .with(ROLLOUT, REASON)
                  .post("/rollouts/{ID}/resume")
                  .says("Rollout {ID} goes on."),
              command("abort", "Ends a rollout.")
                  .with(ROLLOUT, REASON)
                  .post("/rollouts/{ID}/abort")
                  .says("Rollout {ID} ends; a node that is being replaced still is.")),
          group(
              "recycle",
              "Shows and controls the automatic restarts of nodes.",
              command("policy", "Shows the restart policy, and the next restarts.")
                  .get("/recycle-policy")
                  .shows(POLICY),
              command(
                      "set",
                      "Changes what is given, for all nodes of the group, and leaves the rest.")
                  .with(
                      flag("--on", "", "Nodes restart automatically."),
                      flag("--off", "", "They do not."),
                      text("--at TIME", "at", "From when on, such as 04:30."),
                      text("--zone ZONE", "zone", "Such as Europe/Berlin."),
                      number(
                          "--window SECONDS", "windowSeconds", "Over which the nodes are spread."),
                      number(
                          "--max-age SECONDS",
                          "maxAgeSeconds",
                          "An older process restarts at any time; 0 for never."),
                      number(
                          "--memory PERCENT",
                          "memoryPercent",
                          "So does one whose heap stays as full; 0 for never."),
                      REASON)
                  .runs(ExecutorCommands::setPolicy),
              command("now", "Restarts nodes now, one after another.")
                  .with(NODES, REASON)
                  .post("/rollouts")
                  .field("recycle", true)
                  .says(BEGUN)),
          command("audit", "Lists who did what, newest first.")
              .with(
                  LIMIT,
                  text("--actor NAME", "actor", ""),
                  text("--action ACTION", "action", "Such as retry, cancel or login."),
                  text("--instance ID", "instance", ""),
                  text("--from TIME", "from", "As 2026-11-21T08:00:00Z."),
                  text("--to TIME", "to", ""),
                  CURSOR)
              .get("/audit")
              .shows(
                  table(
                      "items",
                      "AT {at:time} | ACTOR {actor} | ACTION {action} | INSTANCE {instanceId}"
                          + " | TARGET {target} | REASON {reason}"),
                  more("--cursor")));

  private ExecutorCommands() {}

  private static int showRollout(CommandCall call) {
    return call.show(
        call.get("/rollouts/{ID}"),
        line("Rollout {ID} ({reason}) is {phase}: {why}"),
        line("  asked for by {by} at {started:time}"),
        line("  {done} of {nodes:size} nodes are back: {nodes}"),
        (output, rollout) -> {
          if (rollout.isTrue("current")) {
            showNode(call, output, rollout.of(rollout.value("current")));
          }
        });
  }

  /** Prints what holds the node that is being replaced. */
  private static void showNode(CommandCall call, CommandOutput output, TemplateValues node) {
    if (!node.text("{stage}").equals("leaving")) {
      output.line(node.text("  node {node}: executor {executorId} is away since {since:time}"));
      return;
    }
    output.line(node.text("  node {node}: executor {executorId} leaves since {since:time}"));
    output.line(node.text("  it holds {held} instances, and ends them by {deadline:time}"));
    JsonNode held = call.get(node.text("/executors/{executorId}/instances?limit=10"));
    each(".", line("    {instanceId}  {type}  {state}  since {since:time}"))
        .print(output, node.of(held));
  }

  private static int setPolicy(CommandCall call) {
    if (call.has("--on") && call.has("--off")) {
      throw new CliException(ExitCodes.USAGE, "Give --on or --off, not both.");
    }
    ObjectNode policy = (ObjectNode) call.get("/recycle-policy");
    policy.remove(List.of("changed", "nextUtc", "nextLocal"));
    if (call.has("--on") || call.has("--off")) {
      policy.put("enabled", call.has("--on"));
    }
    ObjectNode changed = call.fields();
    for (String orNever : List.of("maxAgeSeconds", "memoryPercent")) {
      if (changed.path(orNever).asLong(1) == 0) {
        changed.putNull(orNever);
      }
    }
    policy.setAll(changed);
    return call.show(call.put("/recycle-policy", policy), POLICY);
  }
}
