package io.millrace.server.cli;

import static io.millrace.server.cli.AnswerPart.each;
import static io.millrace.server.cli.AnswerPart.line;
import static io.millrace.server.cli.AnswerPart.lineIf;
import static io.millrace.server.cli.AnswerPart.more;
import static io.millrace.server.cli.AnswerPart.table;
import static io.millrace.server.cli.AnswerPart.within;
import static io.millrace.server.cli.ClientCommand.command;
import static io.millrace.server.cli.ClientCommand.group;
import static io.millrace.server.cli.CommandArgument.AFTER;
import static io.millrace.server.cli.CommandArgument.LIMIT;
import static io.millrace.server.cli.CommandArgument.REASON;
import static io.millrace.server.cli.CommandArgument.flag;
import static io.millrace.server.cli.CommandArgument.json;
import static io.millrace.server.cli.CommandArgument.longNumber;
import static io.millrace.server.cli.CommandArgument.text;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** The commands about continuous workflows. */
final class ContinuousCommands {

  private static final CommandArgument NAME = text("NAME", "", "See 'millrace continuous list'.");
  private static final String PATH = "/continuous-workflows/{NAME}";

  static final List<ClientCommand> ALL =
      List.of(
          group(
              "continuous",
              "Shows and controls continuous workflows.",
              command("list", "Lists continuous workflows by name.")
                  .with(
                      LIMIT,
                      text("--text TEXT", "text", "Part of the name."),
                      flag(
                          "--unhealthy",
                          "unhealthy",
                          "Only enabled ones that do not run, or fail."),
                      AFTER)
                  .get("/continuous-workflows")
                  .shows(
                      table(
                          "items",
                          "NAME {name} | STATE {state} | EXECUTOR {executorId}"
                              + " | RUN {run?{run.series}/{run.generation}|-}"
                              + " | FIRES {activity.fires} | LAST FIRE {activity.lastFire}",
                          "{health.error?{health.error}}"),
                      more("--after")),
              command("show", "Shows what a continuous workflow does, and what has happened to it.")
                  .with(NAME)
                  .runs(ContinuousCommands::show),
              action("enable", "Has it run from now on.")
                  .post(PATH + "/enable")
                  .says("{NAME} is enabled."),
              action("disable", "Has it wait for nothing any more; what runs goes on.")
                  .post(PATH + "/disable")
                  .says("{NAME} is disabled."),
              action("restart", "Has its trigger closed and opened again.")
                  .post(PATH + "/restart")
                  .says("{NAME} will be restarted."),
              action("continue", "Has its next generation begin on the same node.")
                  .post(PATH + "/continue")
                  .says("{NAME} will be continued."),
              action("move", "Has another executor take it.")
                  .with(
                      longNumber("--to EXECUTOR", "executor", "See 'millrace executors'.")
                          .required(true))
                  .post(PATH + "/move")
                  .says("{NAME} will move to executor {--to}."),
              action("run", "Starts one execution without the trigger.")
                  .with(
                      json(
                              "--payload JSON",
                              "payload",
                              "What an event would bring; @FILE reads a file.")
                          .required(true))
                  .post(PATH + "/run")
                  .says("Instance {id} is started."),
              command("offer", "Offers it an event, which is kept until the trigger accepts it.")
                  .with(
                      NAME,
                      json("--payload JSON", ".", "The event; @FILE reads a file.").required(true),
                      text("--key-of-event KEY", "", "Makes repeating harmless."))
                  .post("/triggers/{NAME}")
                  .header("Idempotency-Key", "--key-of-event", "{--key-of-event}")
                  .says("The event is {result} as {key}.")));

  private ContinuousCommands() {}

  private static ClientCommand action(String name, String description) {
    return command(name, description).with(NAME, REASON);
  }

  private static int show(CommandCall call) {
    ObjectNode both = ApiClient.JSON.createObjectNode();
    both.set("detail", call.get(PATH));
    both.set("log", call.get(PATH + "/log?limit=20"));
    return call.show(
        both,
        within(
            "detail.workflow",
            line("{name} is {state}."),
            lineIf(
                "run",
                "Run {run.series}/{run.generation} began at {run.started:time}: {run.mode},"
                    + " {run.reason}.")),
        each("detail.unmet", line("It is not continued now: {.}.")),
        table(
            "log",
            "AT {at:time} | WHAT {type} | REASON {reason:reason} | EXECUTOR {executorId}"
                + " | DETAIL {detail}"));
  }
}
