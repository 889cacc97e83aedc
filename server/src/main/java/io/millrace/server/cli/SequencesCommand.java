package io.millrace.server.cli;

import static io.millrace.server.cli.Screen.text;
import static io.millrace.server.cli.Screen.time;

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
    description = "Workflows made of tasks, and their schedules.",
    subcommands = {
      SequencesCommand.All.class,
      SequencesCommand.Show.class,
      SequenceEdits.Add.class,
      SequenceEdits.Change.class,
      SequenceDeeds.Remove.class,
      SequenceDeeds.Activate.class,
      SequenceDeeds.Deactivate.class,
      SequenceDeeds.Pause.class,
      SequenceDeeds.Resume.class,
      SequenceDeeds.Run.class,
      SequenceDeeds.RunImmediately.class,
      SequenceDeeds.Restart.class,
      SequenceDeeds.Backfill.class,
      SequenceViews.Fires.class,
      SequenceViews.History.class,
      SequenceViews.Explain.class,
      SequenceViews.Calendar.class
    })
final class SequencesCommand {

  private SequencesCommand() {}

  @Command(name = "list", description = "Lists workflows made of tasks, by id.")
  static final class All extends Connection {

    @Parameters(paramLabel = "TEXT", arity = "0..1", description = "Part of the id, in any case.")
    @Nullable String part;

    @Option(names = "--type", paramLabel = "TYPE", description = "Only of this workflow type.")
    @Nullable String type;

    @Option(
        names = "--limit",
        defaultValue = "50",
        description = "Most workflows, 1 to 1000. Default: 50.")
    int limit;

    @Option(names = "--cursor", description = "The cursor that the page before ended with.")
    @Nullable String cursor;

    @Override
    int run(ApiClient api, Screen screen) {
      StringBuilder path = new StringBuilder("/sequences?limit=" + limit);
      Filter.appendGiven(path, "type", type);
      Filter.appendGiven(path, "text", part);
      Filter.appendGiven(path, "cursor", cursor);
      JsonNode page = api.get(path.toString());
      if (screen.json()) {
        screen.json(page);
        return ExitCode.OK;
      }
      List<List<String>> rows = new ArrayList<>();
      for (JsonNode s : page.path("items")) {
        rows.add(
            List.of(
                text(s, "workflowId"),
                text(s, "type"),
                text(s, "status"),
                runs(s),
                text(s, "scheduleType"),
                time(s, "nextRun")));
        if (s.path("problem").isString()) {
          rows.add(List.of("Problem: " + text(s, "problem")));
        }
      }
      screen.table(List.of("ID", "TYPE", "STATUS", "RUNS", "SCHEDULE", "NEXT RUN"), rows);
      Tables.more(screen, page);
      return ExitCode.OK;
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
      description = "Shows one workflow: its tasks, its schedule in words, its next fires.")
  static final class Show extends Connection {

    @Parameters(paramLabel = "ID", description = "The workflow.")
    String id = "";

    @Override
    int run(ApiClient api, Screen screen) {
      JsonNode s = api.get(Paths.sequence(id));
      if (screen.json()) {
        screen.json(s);
        return ExitCode.OK;
      }
      screen.line(
          "%s of type %s: %s%s"
              .formatted(
                  text(s, "workflowId"),
                  text(s, "type"),
                  text(s, "status"),
                  s.path("active").asBoolean() ? "" : ", not active"));
      if (s.path("pausedBy").isString()) {
        screen.line("Paused by " + text(s, "pausedBy") + ": " + text(s, "pauseReason"));
      }
      String problem = s.path("problem").isString() ? text(s, "problem") : "";
      if (!problem.isEmpty()) {
        screen.line("Problem: " + problem);
      }
      if (s.path("error").isString() && !text(s, "error").equals(problem)) {
        screen.line(text(s, "currentTask") + ": " + text(s, "error"));
      }
      screen.line(
          "Next run %s, last run %s, newest execution %s"
              .formatted(time(s, "nextRun"), time(s, "lastRun"), text(s, "executionId")));
      screen.line("Tasks");
      s.path("steps").forEach(step -> screen.line(step(step)));
      screen.line("Schedule");
      SequenceTables.explanation(screen, s.path("explanation"));
      if (!text(s, "parameters").equals("{}")) {
        screen.line("Parameters " + text(s, "parameters"));
      }
      return ExitCode.OK;
    }

    private static String step(JsonNode step) {
      return "  %s. %s%s%s"
          .formatted(
              text(step, "sequence"),
              text(step, "task"),
              step.path("channel").isString() ? "  over " + text(step, "channel") : "",
              text(step, "parameters").equals("{}") ? "" : "  " + text(step, "parameters"));
    }
  }
}
