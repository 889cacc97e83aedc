package io.millrace.server.cli;

import static io.millrace.server.cli.CommandOutput.text;
import static io.millrace.server.cli.CommandOutput.time;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code millrace sequences}. */
@Command(
    name = "sequences",
    description = "Task sequences, and their schedules.",
    subcommands = {
      SequencesCommand.ListAll.class,
      SequencesCommand.Show.class,
      SequenceEditCommands.Add.class,
      SequenceEditCommands.Change.class,
      SequenceActionCommands.Remove.class,
      SequenceActionCommands.Activate.class,
      SequenceActionCommands.Deactivate.class,
      SequenceActionCommands.Pause.class,
      SequenceActionCommands.Resume.class,
      SequenceActionCommands.Run.class,
      SequenceActionCommands.RequestRun.class,
      SequenceActionCommands.Restart.class,
      SequenceActionCommands.Backfill.class,
      SequenceScheduleCommands.Slots.class,
      SequenceScheduleCommands.History.class,
      SequenceScheduleCommands.Explain.class,
      SequenceScheduleCommands.Calendar.class
    })
final class SequencesCommand {

  private SequencesCommand() {}

  @Command(name = "list", description = "Lists task sequences, by id.")
  static final class ListAll extends ApiCommand {

    @Parameters(paramLabel = "TEXT", arity = "0..1", description = "Part of the id, in any case.")
    @Nullable String part;

    @Option(names = "--type", paramLabel = "TYPE", description = "Only of this sequence type.")
    @Nullable String type;

    @Option(
        names = "--limit",
        defaultValue = "50",
        description = "Most sequences, 1 to 1000. Default: 50.")
    int limit;

    @Option(names = "--cursor", description = "The cursor that the page before ended with.")
    @Nullable String cursor;

    @Override
    int run(ApiClient api, CommandOutput output) {
      StringBuilder path = new StringBuilder("/sequences?limit=" + limit);
      InstanceFilterOptions.appendGiven(path, "type", type);
      InstanceFilterOptions.appendGiven(path, "text", part);
      InstanceFilterOptions.appendGiven(path, "cursor", cursor);
      JsonNode page = api.get(path.toString());
      if (output.json()) {
        output.json(page);
        return ExitCodes.OK;
      }
      List<List<String>> rows = new ArrayList<>();
      for (JsonNode s : page.path("items")) {
        rows.add(
            List.of(
                text(s, "sequenceId"),
                text(s, "type"),
                text(s, "status"),
                runs(s),
                text(s, "scheduleType"),
                time(s, "nextRun")));
        if (s.path("problem").isString()) {
          rows.add(List.of("Problem: " + text(s, "problem")));
        }
      }
      output.table(List.of("ID", "TYPE", "STATUS", "RUNS", "SCHEDULE", "NEXT RUN"), rows);
      InstanceTables.more(output, page);
      return ExitCodes.OK;
    }

    private static String runs(JsonNode sequence) {
      if (!sequence.path("active").asBoolean()) {
        return "no";
      }
      return sequence.path("pausedBy").isString() ? "paused" : "yes";
    }
  }

  @Command(
      name = "show",
      description = "Shows one sequence: its tasks, its schedule in words, its next slots.")
  static final class Show extends ApiCommand {

    @Parameters(paramLabel = "ID", description = "The sequence.")
    String id = "";

    @Override
    int run(ApiClient api, CommandOutput output) {
      JsonNode s = api.get(ApiPaths.sequence(id));
      if (output.json()) {
        output.json(s);
        return ExitCodes.OK;
      }
      output.line(
          "%s of type %s: %s%s"
              .formatted(
                  text(s, "sequenceId"),
                  text(s, "type"),
                  text(s, "status"),
                  s.path("active").asBoolean() ? "" : ", not active"));
      if (s.path("pausedBy").isString()) {
        output.line("Paused by " + text(s, "pausedBy") + ": " + text(s, "pauseReason"));
      }
      String problem = s.path("problem").isString() ? text(s, "problem") : "";
      if (!problem.isEmpty()) {
        output.line("Problem: " + problem);
      }
      if (s.path("error").isString() && !text(s, "error").equals(problem)) {
        output.line(text(s, "currentTask") + ": " + text(s, "error"));
      }
      output.line(
          "Next run %s, last end %s, newest execution %s"
              .formatted(time(s, "nextRun"), time(s, "lastEnded"), text(s, "executionId")));
      output.line("Tasks");
      s.path("sequenceTasks").forEach(sequenceTask -> output.line(sequenceTask(sequenceTask)));
      output.line("Schedule");
      SequenceTables.explanation(output, s.path("explanation"));
      if (!text(s, "parameters").equals("{}")) {
        output.line("Parameters " + text(s, "parameters"));
      }
      return ExitCodes.OK;
    }

    private static String sequenceTask(JsonNode sequenceTask) {
      return "  %s. %s%s%s"
          .formatted(
              text(sequenceTask, "sequence"),
              text(sequenceTask, "task"),
              sequenceTask.path("channel").isString()
                  ? "  over " + text(sequenceTask, "channel")
                  : "",
              text(sequenceTask, "parameters").equals("{}")
                  ? ""
                  : "  " + text(sequenceTask, "parameters"));
    }
  }
}
