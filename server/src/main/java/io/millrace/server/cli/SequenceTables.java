package io.millrace.server.cli;

import static io.millrace.server.cli.CommandOutput.text;
import static io.millrace.server.cli.CommandOutput.time;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** The tables and lines for responses about schedules and slots. */
final class SequenceTables {

  private SequenceTables() {}

  static void explanation(CommandOutput output, JsonNode explanation) {
    output.line("  " + text(explanation, "words"));
    for (JsonNode slot : explanation.path("next")) {
      output.line("  " + slot(slot));
    }
    explanation
        .path("warnings")
        .forEach(warning -> output.line("  Warning: " + warning.asString()));
    explanation.path("notes").forEach(note -> output.line("  " + note.asString()));
  }

  private static String slot(JsonNode slot) {
    String window = time(slot, "at") + "  for " + time(slot, "from") + " to " + time(slot, "to");
    return slot.path("excluded").isString()
        ? window + "\n    left out: " + text(slot, "excluded")
        : window;
  }

  /**
   * Prints the slots of sequences.
   *
   * @param ofMany true to show the sequence of each slot instead of its window
   */
  static void slots(CommandOutput output, JsonNode slots, boolean ofMany) {
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode s : slots) {
      int count = s.path("count").asInt(1);
      rows.add(
          List.of(
              time(s, "at"),
              text(s, "outcome") + (count > 1 ? " x" + count : ""),
              text(s, "cause"),
              text(s, "executionId"),
              ofMany ? text(s, "sequenceId") : time(s, "from")));
      if (s.path("reason").isString()) {
        rows.add(List.of(text(s, "reason")));
      }
    }
    output.table(
        List.of("SLOT", "OUTCOME", "CAUSE", "EXECUTION", ofMany ? "SEQUENCE" : "DATA FROM"), rows);
  }

  static void history(CommandOutput output, JsonNode visits, boolean ofMany) {
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode v : visits) {
      rows.add(
          List.of(
              time(v, "started"),
              text(v, "executionId"),
              (ofMany ? text(v, "sequenceId") + " " : "") + text(v, "task"),
              text(v, "status") + (v.path("paused").asBoolean(false) ? ", paused" : ""),
              text(v, "retries")));
      if (v.path("log").isString() && !text(v, "log").isBlank()) {
        rows.add(List.of(text(v, "log").lines().findFirst().orElse("")));
      }
    }
    output.table(
        List.of("STARTED", "EXECUTION", ofMany ? "SEQUENCE AND TASK" : "TASK", "STATUS", "RETRIES"),
        rows);
  }

  static void backfill(CommandOutput output, JsonNode backfill) {
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode entry : backfill.path("slots")) {
      JsonNode slot = entry.path("slot");
      rows.add(
          List.of(
              time(slot, "at"),
              switch (text(entry, "outcome")) {
                case "toRun" -> backfill.path("dryRun").asBoolean() ? "would run" : "runs";
                case "hasRun" -> "has run";
                default -> "left out";
              },
              text(entry, "executionId"),
              time(slot, "from")));
      if (slot.path("excluded").isString()) {
        rows.add(List.of(text(slot, "excluded")));
      }
    }
    output.table(List.of("SLOT", "WHAT", "EXECUTION", "DATA FROM"), rows);
    if (backfill.path("truncated").asBoolean()) {
      output.line("There are more slots than one call runs; call again for those after the last.");
    }
  }
}
