package io.millrace.server.cli;

import static io.millrace.server.cli.CommandOutput.reason;
import static io.millrace.server.cli.CommandOutput.text;
import static io.millrace.server.cli.CommandOutput.time;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** The tables and lines for responses about instances. */
final class InstanceTables {

  private InstanceTables() {}

  static void instances(CommandOutput output, JsonNode items) {
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode i : items) {
      rows.add(
          List.of(
              text(i, "id"),
              text(i, "type"),
              text(i, "status"),
              text(i, "state"),
              text(i, "businessKey"),
              time(i, "created"),
              time(i, "nextActivation"),
              reason(i, "reason")));
    }
    output.table(
        List.of("ID", "TYPE", "STATUS", "STATE", "BUSINESS KEY", "CREATED", "NEXT RUN", "REASON"),
        rows);
  }

  static void actions(CommandOutput output, JsonNode items) {
    for (JsonNode action : items) {
      output.line(action(action));
    }
  }

  private static String action(JsonNode a) {
    String move =
        text(a, "from").equals(text(a, "to"))
            ? text(a, "from")
            : text(a, "from") + " -> " + text(a, "to");
    String actor = a.path("actor").isString() ? " by " + text(a, "actor") : "";
    String why = a.path("reason").isString() ? ": " + text(a, "reason") : "";
    String failure =
        a.path("error").isString()
            ? " [" + text(a, "error").lines().findFirst().orElse("") + "]"
            : "";
    String signals =
        a.path("signals").isEmpty()
            ? ""
            : a.path("signals")
                .valueStream()
                .map(JsonNode::asString)
                .collect(Collectors.joining(", ", " (signals: ", ")"));
    return "  %s  #%s %s%s  %s%s%s%s"
        .formatted(
            time(a, "ended"), text(a, "seq"), text(a, "type"), actor, move, signals, why, failure);
  }

  static String bulk(JsonNode run) {
    return "Bulk run %s (%s): %s, %s of %s done, %s succeeded, %s refused."
        .formatted(
            text(run, "id"),
            text(run, "action"),
            text(run, "status"),
            text(run, "done"),
            text(run, "total"),
            text(run, "succeeded"),
            text(run, "refused"));
  }

  /** Prints how to get the next page, if there is one. */
  static void more(CommandOutput output, JsonNode page) {
    if (page.path("next").isString()) {
      output.line("There are more: add --cursor " + text(page, "next"));
    }
  }

  static String count(JsonNode count) {
    return text(count, "count") + (count.path("capped").asBoolean() ? " or more" : "");
  }

  /** Returns the counts by status, as in "failed 3, finished 120". */
  static String counts(JsonNode counts) {
    List<String> parts = new ArrayList<>();
    counts.properties().forEach(e -> parts.add(e.getKey() + " " + e.getValue().asString()));
    return parts.isEmpty() ? "-" : String.join(", ", parts);
  }
}
