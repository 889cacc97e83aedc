package io.millrace.server.cli;

import static io.millrace.server.cli.CommandOutput.text;
import static io.millrace.server.cli.CommandOutput.time;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The commands that show past and planned slots. */
final class SequenceScheduleCommands {

  private SequenceScheduleCommands() {}

  @Command(
      name = "slots",
      description = "Lists what became of the slots of a sequence, newest first.")
  static final class Slots extends ApiCommand {

    @Parameters(paramLabel = "ID", description = "The sequence.")
    String id = "";

    @Option(names = "--before", paramLabel = "TIME", description = "Only slots before this one.")
    @Nullable String before;

    @Option(names = "--cursor", description = "The cursor that the page before ended with.")
    @Nullable String cursor;

    @Option(names = "--limit", defaultValue = "20", description = "1 to 1000. Default: 20.")
    int limit;

    @Override
    int run(ApiClient api, CommandOutput output) {
      StringBuilder path = new StringBuilder(ApiPaths.sequence(id) + "/slots?limit=" + limit);
      InstanceFilterOptions.appendGiven(path, "before", before);
      InstanceFilterOptions.appendGiven(path, "cursor", cursor);
      JsonNode page = api.get(path.toString());
      if (output.json()) {
        output.json(page);
      } else {
        SequenceTables.slots(output, page.path("items"), false);
        InstanceTables.more(output, page);
      }
      return ExitCodes.OK;
    }
  }

  @Command(
      name = "history",
      description = "Lists visits of tasks, newest first: of one sequence, or of all.")
  static final class History extends ApiCommand {

    @Parameters(paramLabel = "ID", arity = "0..1", description = "The sequence.")
    @Nullable String id;

    @Option(names = "--limit", defaultValue = "20", description = "1 to 1000. Default: 20.")
    int limit;

    @Option(names = "--cursor", description = "The cursor that the page before ended with.")
    @Nullable String cursor;

    @Override
    int run(ApiClient api, CommandOutput output) {
      StringBuilder path = new StringBuilder("/task-visits?limit=" + limit);
      InstanceFilterOptions.appendGiven(path, "sequenceId", id);
      InstanceFilterOptions.appendGiven(path, "cursor", cursor);
      JsonNode page = api.get(path.toString());
      if (output.json()) {
        output.json(page);
        return ExitCodes.OK;
      }
      SequenceTables.history(output, page.path("items"), id == null);
      InstanceTables.more(output, page);
      return ExitCodes.OK;
    }
  }

  @Command(
      name = "explain",
      description = "Tells a schedule in words, its next slots, and what looks odd about it.")
  static final class Explain extends ApiCommand {

    @Parameters(
        paramLabel = "SCHEDULE-JSON",
        description = "As '{\"frequency\":\"WEEKLY\"}'; @FILE reads it from a file.")
    String schedule = "";

    @Option(names = "--slots", defaultValue = "5", description = "How many, 1 to 100. Default: 5.")
    int slots;

    @Override
    int run(ApiClient api, CommandOutput output) {
      ObjectNode body = ApiClient.JSON.createObjectNode();
      body.set("schedule", JsonArguments.json("SCHEDULE-JSON", schedule));
      JsonNode explanation = api.post("/schedules/explain", body.put("slots", slots));
      if (output.json()) {
        output.json(explanation);
      } else {
        SequenceTables.explanation(output, explanation);
      }
      return ExitCodes.OK;
    }
  }

  @Command(
      name = "calendar",
      description = "Lists the slots of all sequences within a time, past and to come.")
  static final class Calendar extends ApiCommand {

    private static final Duration WEEK = Duration.ofDays(7);

    @Option(
        names = "--from",
        paramLabel = "TIME",
        description = "As 2026-11-21T00:00:00Z. Default: today.")
    @Nullable String from;

    @Option(names = "--to", paramLabel = "TIME", description = "Default: a week after --from.")
    @Nullable String to;

    @Option(
        names = "--zone",
        paramLabel = "ZONE",
        description = "Whose hours the load is counted in. Default: UTC.")
    @Nullable String zone;

    @Override
    int run(ApiClient api, CommandOutput output) {
      Instant today = InstantSource.system().instant().truncatedTo(ChronoUnit.DAYS);
      String begin = from == null ? today.toString() : from;
      StringBuilder path = new StringBuilder("/calendar?from=" + ApiPaths.segment(begin));
      InstanceFilterOptions.append(path, "to", to == null ? after(begin) : to);
      InstanceFilterOptions.appendGiven(path, "zone", zone);
      JsonNode calendar = api.get(path.toString());
      if (output.json()) {
        output.json(calendar);
      } else {
        show(output, calendar);
      }
      return ExitCodes.OK;
    }

    private static String after(String begin) {
      try {
        return Instant.parse(begin).plus(WEEK).toString();
      } catch (DateTimeParseException e) {
        throw new CliException(
            ExitCodes.USAGE, "--from is '" + begin + "'; expected a time as 2026-11-21T00:00:00Z.");
      }
    }

    private static void show(CommandOutput output, JsonNode calendar) {
      SequenceTables.slots(output, calendar.path("slots"), true);
      if (calendar.path("truncated").asBoolean()) {
        output.line("There are more; choose a shorter time.");
      }
      calendar.path("clockChanges").forEach(change -> output.line(text(change, "sentence")));
      for (JsonNode closed : calendar.path("closed")) {
        output.line(
            "%s from %s to %s: %s"
                .formatted(
                    text(closed, "name"),
                    time(closed, "from"),
                    time(closed, "to"),
                    joined(closed.path("sequences"))));
      }
      output.line("Planned in the next 24 hours, by hour: " + joined(calendar.path("load")));
    }

    private static String joined(JsonNode texts) {
      List<String> all = new ArrayList<>();
      texts.forEach(one -> all.add(one.asString()));
      return String.join(" ", all);
    }
  }
}
