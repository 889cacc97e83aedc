package io.millrace.server.cli;

import static io.millrace.server.cli.Screen.text;
import static io.millrace.server.cli.Screen.time;

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

/** What schedules did and will do. */
final class SequenceViews {

  private SequenceViews() {}

  @Command(
      name = "fires",
      description = "Lists what became of the slots of a workflow, newest first.")
  static final class Fires extends Connection {

    @Parameters(paramLabel = "ID", description = "The workflow.")
    String id = "";

    @Option(names = "--before", paramLabel = "TIME", description = "Only slots before this one.")
    @Nullable String before;

    @Option(names = "--cursor", description = "The cursor that the page before ended with.")
    @Nullable String cursor;

    @Option(names = "--limit", defaultValue = "20", description = "1 to 1000. Default: 20.")
    int limit;

    @Override
    int run(ApiClient api, Screen screen) {
      StringBuilder path = new StringBuilder(Paths.sequence(id) + "/fires?limit=" + limit);
      Filter.appendGiven(path, "before", before);
      Filter.appendGiven(path, "cursor", cursor);
      JsonNode page = api.get(path.toString());
      if (screen.json()) {
        screen.json(page);
      } else {
        SequenceTables.fires(screen, page.path("items"), false);
        Tables.more(screen, page);
      }
      return ExitCode.OK;
    }
  }

  @Command(
      name = "history",
      description = "Lists executions of tasks, newest first: of one workflow, or of all.")
  static final class History extends Connection {

    @Parameters(paramLabel = "ID", arity = "0..1", description = "The workflow.")
    @Nullable String id;

    @Option(names = "--limit", defaultValue = "20", description = "1 to 1000. Default: 20.")
    int limit;

    @Option(names = "--cursor", description = "The cursor that the page before ended with.")
    @Nullable String cursor;

    @Override
    int run(ApiClient api, Screen screen) {
      StringBuilder path = new StringBuilder("/task-executions?limit=" + limit);
      Filter.appendGiven(path, "workflowId", id);
      Filter.appendGiven(path, "cursor", cursor);
      JsonNode page = api.get(path.toString());
      if (screen.json()) {
        screen.json(page);
        return ExitCode.OK;
      }
      SequenceTables.history(screen, page.path("items"), id == null);
      Tables.more(screen, page);
      return ExitCode.OK;
    }
  }

  @Command(
      name = "explain",
      description = "Tells a schedule in words, its next fires, and what looks odd about it.")
  static final class Explain extends Connection {

    @Parameters(
        paramLabel = "SCHEDULE-JSON",
        description = "As '{\"frequency\":\"WEEKLY\"}'; @FILE reads it from a file.")
    String schedule = "";

    @Option(names = "--fires", defaultValue = "5", description = "How many, 1 to 100. Default: 5.")
    int fires;

    @Override
    int run(ApiClient api, Screen screen) {
      ObjectNode body = ApiClient.JSON.createObjectNode();
      body.set("schedule", Values.json("SCHEDULE-JSON", schedule));
      JsonNode explanation = api.post("/schedules/explain", body.put("fires", fires));
      if (screen.json()) {
        screen.json(explanation);
      } else {
        SequenceTables.explanation(screen, explanation);
      }
      return ExitCode.OK;
    }
  }

  @Command(
      name = "calendar",
      description = "Lists the fires of all workflows within a time, past and to come.")
  static final class Calendar extends Connection {

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
    int run(ApiClient api, Screen screen) {
      Instant today = InstantSource.system().instant().truncatedTo(ChronoUnit.DAYS);
      String begin = from == null ? today.toString() : from;
      StringBuilder path = new StringBuilder("/calendar?from=" + Paths.segment(begin));
      Filter.append(path, "to", to == null ? after(begin) : to);
      Filter.appendGiven(path, "zone", zone);
      JsonNode calendar = api.get(path.toString());
      if (screen.json()) {
        screen.json(calendar);
      } else {
        show(screen, calendar);
      }
      return ExitCode.OK;
    }

    private static String after(String begin) {
      try {
        return Instant.parse(begin).plus(WEEK).toString();
      } catch (DateTimeParseException e) {
        throw new CliException(
            ExitCode.USAGE, "--from is '" + begin + "'; expected a time as 2026-11-21T00:00:00Z.");
      }
    }

    private static void show(Screen screen, JsonNode calendar) {
      SequenceTables.fires(screen, calendar.path("fires"), true);
      if (calendar.path("truncated").asBoolean()) {
        screen.line("There are more; choose a shorter time.");
      }
      calendar.path("clockChanges").forEach(change -> screen.line(text(change, "sentence")));
      for (JsonNode closed : calendar.path("closed")) {
        screen.line(
            "%s from %s to %s: %s"
                .formatted(
                    text(closed, "name"),
                    time(closed, "from"),
                    time(closed, "to"),
                    joined(closed.path("workflows"))));
      }
      screen.line("Planned in the next 24 hours, by hour: " + joined(calendar.path("load")));
    }

    private static String joined(JsonNode texts) {
      List<String> all = new ArrayList<>();
      texts.forEach(one -> all.add(one.asString()));
      return String.join(" ", all);
    }
  }
}
