package io.millrace.server.cli;

import static io.millrace.server.cli.AnswerPart.each;
import static io.millrace.server.cli.AnswerPart.line;
import static io.millrace.server.cli.AnswerPart.lineIf;
import static io.millrace.server.cli.AnswerPart.more;
import static io.millrace.server.cli.AnswerPart.table;
import static io.millrace.server.cli.AnswerPart.within;
import static io.millrace.server.cli.ClientCommand.command;
import static io.millrace.server.cli.ClientCommand.group;
import static io.millrace.server.cli.CommandArgument.CURSOR;
import static io.millrace.server.cli.CommandArgument.LIMIT;
import static io.millrace.server.cli.CommandArgument.REASON;
import static io.millrace.server.cli.CommandArgument.flag;
import static io.millrace.server.cli.CommandArgument.json;
import static io.millrace.server.cli.CommandArgument.limit;
import static io.millrace.server.cli.CommandArgument.number;
import static io.millrace.server.cli.CommandArgument.object;
import static io.millrace.server.cli.CommandArgument.text;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The commands about task sequences and their schedules. */
final class SequenceCommands {

  private static final CommandArgument ID = text("ID", "", "The sequence.");
  private static final CommandArgument FILE =
      object(
          "sequenceId",
          "The sequence as JSON, schema Sequence of the HTTP interface; - for the standard input.");
  private static final String PATH = "/sequences/{ID}";

  private static final AnswerPart[] EXPLANATION = {
    line("  {words}"),
    each(
        "next",
        line("  {at:time}  for {from:time} to {to:time}{excluded?\n    left out: {excluded}}")),
    each("warnings", line("  Warning: {.}")),
    each("notes", line("  {.}"))
  };

  static final List<ClientCommand> ALL =
      List.of(
          group(
              "sequences",
              "Task sequences, and their schedules.",
              command("list", "Lists task sequences, by id.")
                  .with(
                      LIMIT,
                      text("--type TYPE", "type", "Only of this sequence type."),
                      text("TEXT", "text", "Part of the id, in any case.").required(false),
                      CURSOR)
                  .get("/sequences")
                  .shows(
                      table(
                          "items",
                          "ID {sequenceId} | TYPE {type} | STATUS {status}"
                              + " | RUNS {active?{pausedBy?paused|yes}|no}"
                              + " | SCHEDULE {scheduleType} | NEXT RUN {nextRun:time}",
                          "{problem?Problem: {problem}}"),
                      more("--cursor")),
              command(
                      "show",
                      "Shows one sequence: its tasks, its schedule in words, its next slots.")
                  .with(ID)
                  .get(PATH)
                  .shows(
                      line("{sequenceId} of type {type}: {status}{active?|, not active}"),
                      lineIf("pausedBy", "Paused by {pausedBy}: {pauseReason}"),
                      lineIf("problem", "Problem: {problem}"),
                      SequenceCommands::error,
                      line(
                          "Next run {nextRun:time}, last end {lastEnded:time},"
                              + " newest execution {executionId}"),
                      line("Tasks"),
                      each(
                          "sequenceTasks",
                          line(
                              "  {position}. {task}{channel?  over {channel}}"
                                  + "{parameters?  {parameters}}")),
                      line("Schedule"),
                      within("explanation", EXPLANATION),
                      lineIf("parameters", "Parameters {parameters}")),
              command("add", "Adds a task sequence.")
                  .with(FILE)
                  .runs(call ->
                      told(call, call.post("/sequences", call.given().path("FILE")), "added")),
              command(
                      "change",
                      "Changes a sequence to be as in the file; a changed schedule restarts.")
                  .with(FILE)
                  .runs(SequenceCommands::change),
              command("remove", "Removes a sequence; refused while it runs.")
                  .with(ID)
                  .delete(PATH)
                  .says("Sequence {ID} is removed."),
              action(
                  "activate",
                  "Lets the schedule of a sequence run; missed slots go by its misfire policy.",
                  "is active."),
              action(
                  "deactivate",
                  "Lets only manual runs start executions.",
                  "is not active; it runs only when an operator runs it."),
              action(
                  "pause",
                  "Keeps a schedule from running until it is resumed; what runs goes on.",
                  "is paused."),
              action("resume", "Ends a pause.", "is not paused any more."),
              command(
                      "run",
                      "Starts a manual run of a sequence for its last complete window, active or not; of"
                          + " an aborted one it cancels the execution that was aborted.")
                  .with(
                      ID,
                      REASON,
                      json(
                          "--parameters JSON",
                          "parameters",
                          "For this execution; @FILE reads them from a file."))
                  .post(PATH + "/run")
                  .says("Started execution {id}. Follow it: millrace watch {id}"),
              action(
                  "request-run",
                  "Requests a run before the next slot, after what runs now; also activates the"
                      + " sequence and ends a pause of any user.",
                  "will run at once."),
              action(
                  "restart",
                  "Runs an aborted sequence again from its first task, for the same window; also"
                      + " activates it and ends a pause of any user.",
                  "will run again from its first task."),
              command(
                      "backfill",
                      "Runs the slots of a past time that were not run, one after another.")
                  .with(
                      ID,
                      REASON,
                      text("--from TIME", "from", "As 2026-11-21T00:00:00Z.").required(true),
                      text("--to TIME", "to", "Not after now.").required(true),
                      flag("--dry-run", "dryRun", "Only lists the slots."))
                  .runs(SequenceCommands::backfill),
              command("slots", "Lists what became of the slots of a sequence, newest first.")
                  .with(
                      ID,
                      limit(20, 1000),
                      text("--before TIME", "before", "Only slots before this one."),
                      CURSOR)
                  .get(PATH + "/slots")
                  .shows(slots("items", "DATA FROM {from:time}"), more("--cursor")),
              command("history", "Lists visits of tasks, newest first: of one sequence, or of all.")
                  .with(
                      limit(20, 1000),
                      text("ID", "sequenceId", "The sequence.").required(false),
                      CURSOR)
                  .get("/task-visits")
                  .shows(SequenceCommands::history, more("--cursor")),
              command(
                      "explain",
                      "Tells a schedule in words, its next slots, and what looks odd about it.")
                  .with(
                      json(
                          "SCHEDULE-JSON",
                          "schedule",
                          "As '{\"frequency\":\"WEEKLY\"}'; @FILE reads it from a file."),
                      number("--slots N", "slots", "How many, 1 to 100. Default: 5.").preset("5"))
                  .post("/schedules/explain")
                  .shows(EXPLANATION),
              command(
                      "calendar",
                      "Lists the slots of all sequences within a time, past and to come.")
                  .with(
                      text("--from TIME", "from", "As 2026-11-21T00:00:00Z. Default: today."),
                      text("--to TIME", "to", "Default: a week after --from."),
                      text(
                          "--zone ZONE",
                          "zone",
                          "Whose hours the load is counted in. Default: UTC."))
                  .runs(SequenceCommands::calendar)));

  private SequenceCommands() {}

  private static ClientCommand action(String name, String description, String outcome) {
    return command(name, description)
        .with(ID, REASON)
        .post(PATH + "/" + name)
        .says("Sequence {ID} " + outcome);
  }

  private static AnswerPart slots(String field, String lastColumn) {
    return table(
        field,
        slot -> slot.with("times", times(slot.value("count").asLong(1))),
        "SLOT {at:time} | OUTCOME {outcome}{times} | CAUSE {cause}"
            + " | EXECUTION {executionId} | "
            + lastColumn,
        "{reason?{reason}}");
  }

  private static String times(long count) {
    return count > 1 ? " x" + count : "";
  }

  private static int change(CommandCall call) {
    ObjectNode sequence = (ObjectNode) call.given().path("FILE");
    String path = "/sequences/" + ApiClient.encoded(sequence.path("sequenceId").asString());
    String tag = CommandOutput.text(call.get(path).path("tag"));
    return told(call, call.put(path + "?tag=" + ApiClient.encoded(tag), sequence), "changed");
  }

  private static int told(CommandCall call, JsonNode sequence, String done) {
    return call.show(
        sequence,
        line("Sequence {sequenceId} is " + done + ". Next run {nextRun:time}."),
        lineIf("problem", "Warning: {problem}"),
        each("explanation.warnings", line("Warning: {.}")));
  }

  private static int backfill(CommandCall call) {
    ObjectNode body = call.fields().put("dryRun", call.has("--dry-run"));
    return call.show(
        call.post(PATH + "/backfill", body),
        table(
            "slots",
            slot -> slot.with("what", fate(slot)),
            "SLOT {slot.at:time} | WHAT {what} | EXECUTION {executionId} | DATA FROM {slot.from:time}",
            "{slot.excluded?{slot.excluded}}"),
        lineIf(
            "truncated",
            "There are more slots than one call runs; call again for those after the last."),
        line(
            call.has("--dry-run")
                ? "Dry run: nothing was begun."
                : "{instanceId?Follow it: millrace watch {instanceId}|There is nothing to run.}"));
  }

  private static String fate(TemplateValues slot) {
    return switch (slot.text("{outcome}")) {
      case "toRun" -> slot.text("{--dry-run?would run|runs}");
      case "hasRun" -> "has run";
      default -> "left out";
    };
  }

  /** Prints the error of the current task, unless it is the problem that was printed. */
  private static void error(CommandOutput output, TemplateValues sequence) {
    if (sequence.isTrue("error") && !sequence.value("error").equals(sequence.value("problem"))) {
      output.line(sequence.text("{currentTask}: {error}"));
    }
  }

  private static void history(CommandOutput output, TemplateValues page) {
    boolean ofOne = page.arguments().has("ID");
    table(
            "items",
            "STARTED {started:time} | EXECUTION {executionId} | "
                + (ofOne ? "TASK {task}" : "SEQUENCE AND TASK {sequenceId} {task}")
                + " | STATUS {status}{paused?, paused} | RETRIES {retries}",
            "{log?{log:first}}")
        .print(output, page);
  }

  private static int calendar(CommandCall call) {
    Instant today = InstantSource.system().instant().truncatedTo(ChronoUnit.DAYS);
    String from = call.has("--from") ? call.text("--from") : today.toString();
    ObjectNode query = ApiClient.JSON.createObjectNode().put("from", from);
    query.put("to", call.has("--to") ? call.text("--to") : weekAfter(from));
    return call.show(
        call.get("/calendar", query.setAll(call.fields())),
        slots("slots", "SEQUENCE {sequenceId}"),
        lineIf("truncated", "There are more; choose a shorter time."),
        each("clockChanges", line("{sentence}")),
        each("closed", line("{name} from {from:time} to {to:time}: {sequences:words}")),
        line("Planned in the next 24 hours, by hour: {load:words}"));
  }

  private static String weekAfter(String from) {
    try {
      return Instant.parse(from).plus(Duration.ofDays(7)).toString();
    } catch (DateTimeParseException e) {
      throw new CliException(
          ExitCodes.USAGE, "--from is '" + from + "'; expected a time as 2026-11-21T00:00:00Z.");
    }
  }
}
