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
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code millrace queues}. */
@Command(
    name = "queues",
    description = "The jobs in the queues of Redis flows. For their state: millrace flows.",
    subcommands = {
      QueuesCommand.Jobs.class,
      QueuesCommand.Pause.class,
      QueuesCommand.Resume.class,
      QueuesCommand.Requeue.class
    })
final class QueuesCommand {

  private QueuesCommand() {}

  /** A command on one queue. */
  abstract static class QueueCommand extends ApiCommand {

    @Parameters(index = "0", paramLabel = "FLOW", description = "See 'millrace flows'.")
    String flow = "";

    @Parameters(index = "1", paramLabel = "QUEUE", description = "Of a child: PARENT:CHILD.")
    String queue = "";

    final String path() {
      return "/flows/" + ApiPaths.segment(flow) + "/queues/" + ApiPaths.segment(queue);
    }
  }

  /** An action on one queue. */
  abstract static class QueueAction extends QueueCommand {

    @Option(names = "--reason", paramLabel = "TEXT", description = "Written into the audit.")
    @Nullable String reason;

    final ObjectNode body() {
      ObjectNode body = ApiClient.JSON.createObjectNode();
      if (reason != null) {
        body.put("reason", reason);
      }
      return body;
    }

    final int tell(CommandOutput output, JsonNode answer, String sentence) {
      if (output.json()) {
        output.json(answer);
      } else {
        output.line(sentence);
      }
      return ExitCodes.OK;
    }
  }

  @Command(name = "jobs", description = "Lists jobs of a queue.")
  static final class Jobs extends QueueCommand {

    @Option(
        names = "--list",
        paramLabel = "LIST",
        defaultValue = "waiting",
        description = "waiting, processing, delayed or dead. Default: waiting.")
    String list = "";

    @Option(names = "--limit", paramLabel = "N", description = "Default: 50.")
    int limit = 50;

    @Option(names = "--cursor", paramLabel = "CURSOR", description = "Of the next page.")
    @Nullable String cursor;

    @Override
    int run(ApiClient api, CommandOutput output) {
      JsonNode page =
          api.get(
              path()
                  + "/jobs?list="
                  + ApiPaths.segment(list)
                  + "&limit="
                  + limit
                  + (cursor == null ? "" : "&cursor=" + ApiPaths.segment(cursor)));
      if (output.json()) {
        output.json(page);
        return ExitCodes.OK;
      }
      List<List<String>> rows = new ArrayList<>();
      for (JsonNode one : page.path("items")) {
        rows.add(
            List.of(
                text(one, "id"),
                text(one, "flow"),
                time(one, "createdAt"),
                time(one, "at"),
                text(one, "lockOwner"),
                text(one, "lockSeconds"),
                text(one, "error")));
      }
      output.table(List.of("ID", "FLOW", "CREATED", "AT", "LOCKED BY", "LEFT", "ERROR"), rows);
      if (page.path("next").isString()) {
        output.line("There are more: add --cursor " + text(page, "next"));
      }
      return ExitCodes.OK;
    }
  }

  @Command(
      name = "pause",
      description = "Has the workers of Millrace take no more jobs; those in Node.js go on.")
  static final class Pause extends QueueAction {
    @Override
    int run(ApiClient api, CommandOutput output) {
      JsonNode done = api.post(path() + "/pause", body());
      return tell(
          output, done, "Queue " + queue + " is paused; " + text(done, "waiting") + " jobs wait.");
    }
  }

  @Command(name = "resume", description = "Ends that.")
  static final class Resume extends QueueAction {
    @Override
    int run(ApiClient api, CommandOutput output) {
      return tell(output, api.post(path() + "/resume", body()), "Queue " + queue + " goes on.");
    }
  }

  @Command(name = "requeue", description = "Puts dead jobs back to those that wait.")
  static final class Requeue extends QueueAction {

    @Parameters(
        index = "2..*",
        arity = "0..*",
        paramLabel = "ID",
        description = "Which; all dead ones of the flow, at most 10000, when left out.")
    List<String> ids = List.of();

    @Override
    int run(ApiClient api, CommandOutput output) {
      ObjectNode body = body();
      if (!ids.isEmpty()) {
        ArrayNode given = body.putArray("ids");
        ids.forEach(given::add);
      }
      JsonNode done = api.post(path() + "/requeue", body);
      return tell(output, done, sentence(done));
    }

    private String sentence(JsonNode done) {
      int requeued = done.path("requeued").asInt();
      int gone = done.path("gone").asInt();
      int held = done.path("held").asInt();
      int others =
          ids.isEmpty() ? 0 : (int) ids.stream().distinct().count() - requeued - gone - held;
      return "Put "
          + jobs(requeued)
          + " back into "
          + queue
          + "."
          + (gone > 0 ? " Redis has forgotten " + jobs(gone) + "." : "")
          + (held > 0 ? " Another job has the unique key of " + jobs(held) + "." : "")
          + (others > 0 ? " Not among the flow's dead: " + jobs(others) + "." : "");
    }

    private static String jobs(int count) {
      return count == 1 ? "1 job" : count + " jobs";
    }
  }
}
