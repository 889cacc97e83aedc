package io.millrace.server.cli;

import static io.millrace.server.cli.Screen.text;
import static io.millrace.server.cli.Screen.time;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code millrace jobs}. */
@Command(
    name = "jobs",
    description = "The jobs of Redis flows. For those in a queue: millrace queues jobs.",
    subcommands = {
      JobsCommand.Show.class,
      JobsCommand.Find.class,
      JobsCommand.Create.class,
      JobsCommand.Delete.class
    })
final class JobsCommand {

  private JobsCommand() {}

  /** Something of a flow. */
  abstract static class OfFlow extends Connection {

    @Parameters(
        index = "0",
        paramLabel = "FLOW",
        description = "See 'millrace flows'; of a child its queue, PARENT:CHILD.")
    String flow = "";

    final String path() {
      return "/flows/" + Paths.segment(flow) + "/jobs";
    }
  }

  @Command(name = "show", description = "Shows one job: where it is, its fields, its children.")
  static final class Show extends OfFlow {

    @Parameters(index = "1", paramLabel = "ID", description = "The job.")
    String id = "";

    @Override
    int run(ApiClient api, Screen screen) {
      JsonNode job = api.get(path() + "/" + Paths.segment(id));
      if (screen.json()) {
        screen.json(job);
      } else {
        show(screen, job, "");
      }
      return ExitCode.OK;
    }

    private static void show(Screen screen, JsonNode job, String indent) {
      screen.line(
          indent
              + "%s %s: %s".formatted(text(job, "flow"), text(job, "id"), text(job, "state"))
              + (job.path("queue").isString() ? " in " + text(job, "queue") : "")
              + (job.path("position").isNumber() ? " behind " + text(job, "position") : ""));
      told(screen, job, indent, "lockOwner", "Locked by ");
      told(screen, job, indent, "lockSeconds", "Seconds left of the lock: ");
      told(screen, job, indent, "at", "dead".equals(text(job, "state")) ? "Died " : "Due ");
      told(screen, job, indent, "attempts", "Attempts that failed: ");
      told(screen, job, indent, "createdAt", "Created ");
      told(screen, job, indent, "ttlSeconds", "Seconds until Redis forgets it: ");
      told(screen, job, indent, "correlationId", "Correlation id ");
      told(screen, job, indent, "failedQueue", "Failed in ");
      told(screen, job, indent, "failedErrorMsg", "Failed: ");
      told(screen, job, indent, "progress", "Progress in percent: ");
      told(screen, job, indent, "note", "");
      job.path("fields")
          .propertyStream()
          .forEach(f -> screen.line(indent + "  " + f.getKey() + " = " + f.getValue()));
      job.path("unreadable")
          .propertyStream()
          .forEach(f -> screen.line(indent + "  " + f.getKey() + " is no JSON: " + f.getValue()));
      job.path("children").forEach(child -> show(screen, child, indent + "    "));
    }

    private static void told(
        Screen screen, JsonNode job, String indent, String field, String words) {
      if (!job.path(field).isMissingNode() && !job.path(field).isNull()) {
        screen.line(indent + "  " + words + text(job, field));
      }
    }
  }

  @Command(
      name = "find",
      description = "Lists the jobs that have a value in a lookup attribute, the newest first.")
  static final class Find extends OfFlow {

    @Parameters(index = "1", paramLabel = "ATTRIBUTE", description = "See 'millrace flows --json'.")
    String attribute = "";

    @Parameters(index = "2", paramLabel = "VALUE", description = "As plain text: 62 or Joe.")
    String value = "";

    @Option(names = "--limit", paramLabel = "N", description = "At most 200. Default: 50.")
    int limit = 50;

    @Option(names = "--cursor", paramLabel = "CURSOR", description = "Of the next page.")
    @Nullable String cursor;

    @Override
    int run(ApiClient api, Screen screen) {
      JsonNode found =
          api.get(
              path()
                  + "?attribute="
                  + Paths.segment(attribute)
                  + "&value="
                  + Paths.segment(value)
                  + "&limit="
                  + limit
                  + (cursor == null ? "" : "&cursor=" + Paths.segment(cursor)));
      if (screen.json()) {
        screen.json(found);
        return ExitCode.OK;
      }
      List<List<String>> rows = new ArrayList<>();
      for (JsonNode job : found.path("items")) {
        rows.add(
            List.of(
                text(job, "id"),
                text(job, "state"),
                text(job, "queue"),
                time(job, "createdAt"),
                text(job, "failedErrorMsg")));
      }
      screen.table(List.of("ID", "STATE", "QUEUE", "CREATED", "ERROR"), rows);
      if (found.path("next").isString()) {
        screen.line("There are more: add --cursor " + text(found, "next"));
      }
      return ExitCode.OK;
    }
  }

  @Command(name = "create", description = "Makes a job and prints its id.")
  static final class Create extends OfFlow {

    @Option(
        names = "--fields",
        paramLabel = "JSON",
        description = "An object; @FILE reads it from a file.")
    @Nullable String fields;

    @Option(
        names = "--field",
        paramLabel = "NAME=JSON",
        description = "One field; may be repeated.")
    Map<String, String> single = Map.of();

    @Option(names = "--delay", paramLabel = "SECONDS", description = "Until it can be taken.")
    @Nullable Integer delay;

    @Option(
        names = "--priority",
        paramLabel = "1-100",
        description = "1 is the most urgent. Default: behind all others.")
    @Nullable Integer priority;

    @Option(
        names = "--unique",
        paramLabel = "KEY",
        description = "Makes none while another job with this key has not ended.")
    @Nullable String unique;

    @Option(names = "--correlation-id", paramLabel = "ID")
    @Nullable String correlationId;

    @Option(names = "--reason", paramLabel = "TEXT", description = "Written into the audit.")
    @Nullable String reason;

    @Override
    int run(ApiClient api, Screen screen) {
      JsonNode made = api.post(path(), body());
      if (screen.json()) {
        screen.json(made);
      } else {
        screen.line(
            made.path("created").asBoolean()
                ? "Made job " + text(made, "id") + "."
                : "Job " + text(made, "id") + " has this key, and has not ended.");
      }
      return ExitCode.OK;
    }

    private ObjectNode body() {
      ObjectNode body = ApiClient.JSON.createObjectNode();
      ObjectNode all = body.putObject("fields");
      if (fields != null) {
        if (!(Values.json("--fields", fields) instanceof ObjectNode given)) {
          throw new CliException(ExitCode.USAGE, "--fields is no JSON object.");
        }
        all.setAll(given);
      }
      single.forEach((name, value) -> all.set(name, Values.jsonOrText(value)));
      if (delay != null) {
        body.put("delaySeconds", delay);
      }
      if (priority != null) {
        body.put("priority", priority);
      }
      if (unique != null) {
        body.put("uniqueKey", unique);
      }
      if (correlationId != null) {
        body.put("correlationId", correlationId);
      }
      if (reason != null) {
        body.put("reason", reason);
      }
      return body;
    }
  }

  @Command(name = "delete", description = "Deletes a job wherever it stands.")
  static final class Delete extends OfFlow {

    @Parameters(index = "1", paramLabel = "ID", description = "The job.")
    String id = "";

    @Override
    int run(ApiClient api, Screen screen) {
      api.delete(path() + "/" + Paths.segment(id));
      screen.done("Job " + id + " is deleted.");
      return ExitCode.OK;
    }
  }
}
