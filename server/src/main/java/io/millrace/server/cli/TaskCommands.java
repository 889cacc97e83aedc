package io.millrace.server.cli;

import static io.millrace.server.cli.AnswerPart.each;
import static io.millrace.server.cli.AnswerPart.line;
import static io.millrace.server.cli.AnswerPart.lineIf;
import static io.millrace.server.cli.AnswerPart.lineUnless;
import static io.millrace.server.cli.AnswerPart.table;
import static io.millrace.server.cli.ClientCommand.command;
import static io.millrace.server.cli.ClientCommand.group;
import static io.millrace.server.cli.CommandArgument.REASON;
import static io.millrace.server.cli.CommandArgument.limit;
import static io.millrace.server.cli.CommandArgument.longNumber;
import static io.millrace.server.cli.CommandArgument.number;
import static io.millrace.server.cli.CommandArgument.object;
import static io.millrace.server.cli.CommandArgument.path;
import static io.millrace.server.cli.CommandArgument.text;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The commands about the tasks of sequences, their channels, and the reports that they make. */
final class TaskCommands {

  private static final CommandArgument NAME = text("NAME", "", "The task.");
  private static final CommandArgument CHANNEL = text("CHANNEL", "", "");
  private static final CommandArgument FILE =
      object(
          "name", "The task as JSON, schema Task of the HTTP interface; - for the standard input.");

  private static final OpenOption[] NEW = {StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE};
  private static final OpenOption[] REPLACE = {};

  static final List<ClientCommand> ALL =
      List.of(
          group(
              "tasks",
              "The tasks that sequences can be made of.",
              command("list", "Lists all tasks.")
                  .get("/tasks")
                  .shows(
                      table(
                          ".",
                          "NAME {name} | TYPE {type} | RUNNABLE {runnable?yes|no}"
                              + " | CHANNEL {channel}")),
              command("show", "Shows one task.")
                  .with(NAME)
                  .get("/tasks/{NAME}")
                  .shows(
                      line("{name} of type {type}, number {id}"),
                      lineIf("problem", "This server cannot run it. {problem}"),
                      line("Component  {component}"),
                      line("Channel    {channel}{sharesChannel?, shared}"),
                      line(
                          "Retries    {maxRetries?{maxRetries}|as the server is set}, first after"
                              + " {firstRetryDelayMs?{firstRetryDelayMs} ms|the server's delay}"),
                      line("Timeout    {timeoutMs?{timeoutMs} ms|none}"),
                      line("Parameters {parameters}")),
              command("add", "Registers a task.")
                  .with(FILE)
                  .runs(
                      call -> told(call, call.post("/tasks", call.given().path("FILE")), "added")),
              command(
                      "change",
                      "Changes a task to be as in the file, from the next execution of each"
                          + " sequence.")
                  .with(FILE)
                  .runs(TaskCommands::change),
              command("remove", "Removes a task that no sequence has.")
                  .with(NAME)
                  .delete("/tasks/{NAME}")
                  .says("Task {NAME} is removed.")),
          group(
              "channels",
              "The channels over which messages to tasks come.",
              command("list", "Lists the channels of all tasks and their queues.")
                  .get("/channels")
                  .shows(
                      line("Messages go by {transport}."),
                      lineIf("problem", "{problem}"),
                      table(
                          "channels",
                          "CHANNEL {channel} | READY {ready} | CONSUMERS {consumers}"
                              + " | DEAD {deadLetters} | TASKS {tasks}")),
              command(
                      "dead-letters",
                      "Shows the oldest messages that could not be used; they stay where they are.")
                  .with(CHANNEL, limit(50, 100))
                  .get("/channels/{CHANNEL}/dead-letters")
                  .shows(
                      each(".", line("{id}  {reason}"), line("    {body:line}")),
                      lineUnless(".", "There are none.")),
              command("requeue", "Moves the oldest dead letters of a channel back into it.")
                  .with(
                      CHANNEL,
                      number("--limit N", "limit", "Most messages, 1 to 10000.").required(true),
                      REASON)
                  .post("/channels/{CHANNEL}/requeue")
                  .says("Moved {moved} messages back into {CHANNEL}.")),
          group(
              "reports",
              "The reports that workflows have made.",
              command("list", "Lists the newest reports of every workflow that makes some.")
                  .get("/reports")
                  .shows(TaskCommands::reports),
              command("download", "Saves the PDF that an execution has made.")
                  .with(
                      longNumber("ID", "", "The execution; see 'millrace reports list'."),
                      text(
                          "--report NAME",
                          "report",
                          "Which, when the execution has made several. Default: the last."),
                      path("--to FILE", "Default: report-ID.pdf, which must not be there yet."))
                  .runs(TaskCommands::download)));

  private TaskCommands() {}

  private static int change(CommandCall call) {
    ObjectNode task = (ObjectNode) call.given().path("FILE");
    String path = "/tasks/" + ApiClient.encoded(task.path("name").asString());
    String revision = CommandOutput.text(call.get(path).path("revision"));
    return told(call, call.put(path + "?revision=" + ApiClient.encoded(revision), task), "changed");
  }

  private static int told(CommandCall call, JsonNode task, String done) {
    return call.show(
        task,
        line("Task {name} is " + done + ", number {id}."),
        lineIf("problem", "This server cannot run it. {problem}"));
  }

  /** Prints a row for each file, and one for a workflow without any. */
  private static void reports(CommandOutput output, TemplateValues values) {
    ArrayNode rows = ApiClient.JSON.createArrayNode();
    for (JsonNode workflow : values.answer()) {
      JsonNode files = workflow.path("files");
      for (JsonNode file : files.isEmpty() ? List.of(workflow) : files.values()) {
        ObjectNode row = rows.addObject();
        row.setAll((ObjectNode) workflow).setAll((ObjectNode) file);
        if (row.path("size").isNumber()) {
          row.put("size", (row.path("size").asLong() + 1023) / 1024 + " KiB");
        }
      }
    }
    table(
            ".",
            "ID {executionId} | WORKFLOW {sequenceId} | STATUS {status} | CREATED {created:time}"
                + " | SIZE {size} | REPORT {report}")
        .print(output, values.of(rows));
  }

  private static int download(CommandCall call) {
    byte[] pdf =
        call.api().document(CommandCall.withQuery(call.path("/reports/{ID}/pdf"), call.fields()));
    boolean named = call.has("--to");
    String file = named ? call.text("--to") : "report-" + call.text("ID") + ".pdf";
    try {
      Files.write(Path.of(file), pdf, named ? REPLACE : NEW);
    } catch (FileAlreadyExistsException e) {
      throw new CliException(
          ExitCodes.USAGE, file + " is there already. Name the file with --to to replace it.");
    } catch (IOException e) {
      throw new CliException(ExitCodes.FAILED, file + " cannot be written: " + e);
    }
    return call.say(
        "Saved " + pdf.length + " bytes as {--to?{--to}|report-{ID}.pdf}.",
        ApiClient.JSON.missingNode());
  }
}
