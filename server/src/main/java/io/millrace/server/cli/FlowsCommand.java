package io.millrace.server.cli;

import static io.millrace.server.cli.CommandOutput.text;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code millrace flows}. */
@Command(name = "flows", description = "The Redis flows and the state of their queues.")
final class FlowsCommand extends ApiCommand {

  @Parameters(paramLabel = "FLOW", arity = "0..1", description = "Only this one.")
  String only = "";

  @Override
  int run(ApiClient api, CommandOutput output) {
    JsonNode answer = api.get("/flows");
    if (answer.path("configured").asBoolean() && !answer.path("reachable").asBoolean()) {
      throw new CliException(
          ExitCodes.UNREACHABLE, "Redis does not answer: " + text(answer, "problem"));
    }
    if (!answer.path("configured").asBoolean() && !output.json()) {
      output.line("The server has no Redis; its setting redis.uri names one.");
      return ExitCodes.OK;
    }
    List<JsonNode> flows = new ArrayList<>();
    for (JsonNode flow : answer.path("flows")) {
      if (only.isEmpty() || only.equals(text(flow, "name"))) {
        flows.add(flow);
      }
    }
    if (flows.isEmpty() && !only.isEmpty()) {
      throw new CliException(ExitCodes.NOT_FOUND, "There is no flow '" + only + "'.");
    }
    if (output.json()) {
      output.json(only.isEmpty() ? answer : flows.getFirst());
      return ExitCodes.OK;
    }
    List<List<String>> rows = new ArrayList<>();
    flows.forEach(flow -> flow.path("queues").forEach(queue -> add(rows, queue)));
    output.table(
        List.of(
            "FLOW",
            "QUEUE",
            "NEXT",
            "WAITING",
            "OLDEST",
            "PROCESSING",
            "DELAYED",
            "DEAD",
            "WORKERS",
            "BUSY",
            "DONE/MIN",
            "FAILED/MIN"),
        rows);
    return ExitCodes.OK;
  }

  private static void add(List<List<String>> rows, JsonNode queue) {
    rows.add(
        List.of(
            text(queue, "flow"),
            text(queue, "name"),
            text(queue, "next"),
            text(queue, "waiting"),
            seconds(queue, "oldestWaitingSeconds"),
            text(queue, "processing"),
            text(queue, "delayed"),
            text(queue, "dead"),
            text(queue, "workers"),
            text(queue, "busy"),
            text(queue, "completedPerMinute"),
            text(queue, "failedPerMinute")));
    if (queue.path("problem").isString()) {
      rows.add(List.of(text(queue, "problem")));
    }
    addExpired(rows, queue);
    if (queue.path("paused").asBoolean()) {
      rows.add(
          List.of(
              "paused"
                  + told(queue, " since ", "pausedSince")
                  + told(queue, " by ", "pausedBy")
                  + told(queue, ": ", "pausedWhy")));
    }
    if (queue.path("locksExpiring").asInt(0) > 0) {
      rows.add(List.of("locks that end soon, or are missing: " + text(queue, "locksExpiring")));
    }
  }

  private static void addExpired(List<List<String>> rows, JsonNode queue) {
    if (queue.path("expired").asLong(0) > 0) {
      rows.add(List.of("jobs that expired in the queue: " + text(queue, "expired")));
    }
  }

  private static String told(JsonNode node, String word, String field) {
    return node.path(field).isString() ? word + text(node, field) : "";
  }

  private static String seconds(JsonNode node, String field) {
    return node.path(field).isNumber() ? text(node, field) + " s" : "-";
  }
}
