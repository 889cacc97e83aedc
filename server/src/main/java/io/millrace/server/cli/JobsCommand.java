package io.millrace.server.cli;

import static io.millrace.server.cli.CommandOutput.text;
import static io.millrace.server.cli.CommandOutput.time;

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

  /** A command on the jobs of one flow. */
  abstract static class FlowCommand extends ApiCommand {

    @Parameters(
        index = "0",
        paramLabel = "FLOW",
        description = "See 'millrace flows'; of a child its queue, PARENT:CHILD.")
    String flow = "";

    final String path() {
      return "/flows/" + ApiPaths.segment(flow) + "/jobs";
    }
  }

  @Command(name = "show", description = "Shows one job: where it is, its fields, its children.")
  static final class Show extends FlowCommand {

    @Parameters(index = "1", paramLabel = "ID", description = "The job.")
    String id = "";

    @Override
    int run(ApiClient api, CommandOutput output) {
      JsonNode job = api.get(path() + "/" + ApiPaths.segment(id));
      if (output.json()) {
        output.json(job);
      } else {
        show(output, job, "");
      }
      return ExitCodes.OK;
    }

    private static void show(CommandOutput output, JsonNode job, String indent) {
      output.line(
          indent
              + "%s %s: %s".formatted(text(job, "flow"), text(job, "id"), text(job, "state"))
              + (job.path("queue").isString() ? " in " + text(job, "queue") : "")
              + (job.path("position").isNumber() ? " behind " + text(job, "position") : ""));
      told(output, job, indent, "lockOwner", "Locked by ");
      told(output, job, indent, "lockSeconds", "Seconds left of the lock: ");
      told(output, job, indent, "at", "dead".equals(text(job, "state")) ? "Died " : "Due ");
      told(output, job, indent, "attempts", "Attempts that failed: ");
      told(output, job, indent, "createdAt", "Created ");
      told(output, job, indent, "ttlSeconds", "Seconds until Redis forgets it: ");
      told(output, job, indent, "correlationId", "Correlation id ");
      told(output, job, indent, "failedQueue", "Failed in ");
      told(output, job, indent, "failedErrorMsg", "Failed: ");
      told(output, job, indent, "progress", "Progress in percent: ");
      told(output, job, indent, "note", "");
      job.path("fields")
          .propertyStream()
          .forEach(f -> output.line(indent + "  " + f.getKey() + " = " + f.getValue()));
      job.path("unreadable")
          .propertyStream()
          .forEach(f -> output.line(indent + "  " + f.getKey() + " is no JSON: " + f.getValue()));
      job.path("children").forEach(child -> show(output, child, indent + "    "));
    }

    private static void told(
        CommandOutput output, JsonNode job, String indent, String field, String words) {
      if (!job.path(field).isMissingNode() && !job.path(field).isNull()) {
        output.line(indent + "  " + words + text(job, field));
      }
    }
  }

  @Command(
      name = "find",
      description = "Lists the jobs that have a value in a lookup field, the newest first.")
  static final class Find extends FlowCommand {

    @Parameters(index = "1", paramLabel = "FIELD", description = "See 'millrace flows --json'.")
    String field = "";

    @Parameters(index = "2", paramLabel = "VALUE", description = "As plain text: 62 or Joe.")
    String value = "";

    @Option(names = "--limit", paramLabel = "N", description = "At most 200. Default: 50.")
    int limit = 50;

    @Option(names = "--cursor", paramLabel = "CURSOR", description = "Of the next page.")
    @Nullable String cursor;

    @Override
    int run(ApiClient api, CommandOutput output) {
      JsonNode found =
          api.get(
              path()
                  + "?field="
                  + ApiPaths.segment(field)
                  + "&value="
                  + ApiPaths.segment(value)
                  + "&limit="
                  + limit
                  + (cursor == null ? "" : "&cursor=" + ApiPaths.segment(cursor)));
      if (output.json()) {
        output.json(found);
        return ExitCodes.OK;
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
      output.table(List.of("ID", "STATE", "QUEUE", "CREATED", "ERROR"), rows);
      if (found.path("next").isString()) {
        output.line("There are more: add --cursor " + text(found, "next"));
      }
      return ExitCodes.OK;
    }
  }

  @Command(name = "create", description = "Makes a job and prints its id.")
  static final class Create extends FlowCommand {

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
    int run(ApiClient api, CommandOutput output) {
      JsonNode created = api.post(path(), body());
      if (output.json()) {
        output.json(created);
      } else {
        output.line(
            created.path("created").asBoolean()
                ? "Created job " + text(created, "id") + "."
                : "Job " + text(created, "id") + " has this key, and has not finished.");
      }
      return ExitCodes.OK;
    }

    private ObjectNode body() {
      ObjectNode body = ApiClient.JSON.createObjectNode();
      ObjectNode all = body.putObject("fields");
      if (fields != null) {
        if (!(JsonArguments.json("--fields", fields) instanceof ObjectNode given)) {
          throw new CliException(ExitCodes.USAGE, "--fields is no JSON object.");
        }
        all.setAll(given);
      }
      single.forEach(
          (name, value) -> all.set(name, JsonArguments.jsonOrText("--field " + name, value)));
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
  static final class Delete extends FlowCommand {

    @Parameters(index = "1", paramLabel = "ID", description = "The job.")
    String id = "";

    @Override
    int run(ApiClient api, CommandOutput output) {
      api.delete(path() + "/" + ApiPaths.segment(id));
      output.printConfirmation("Job " + id + " is deleted.");
      return ExitCodes.OK;
    }
  }
}
