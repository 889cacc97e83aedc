package io.millrace.server.cli;

import static io.millrace.server.cli.CommandOutput.text;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "definitions",
    description = "Lists workflow definitions, or shows one with its states.")
final class DefinitionsCommand extends ApiCommand {

  @Parameters(paramLabel = "TYPE", arity = "0..1", description = "The workflow to show.")
  @Nullable String type;

  @Override
  int run(ApiClient api, CommandOutput output) {
    JsonNode answer =
        api.get(type == null ? "/definitions" : "/definitions/" + ApiPaths.segment(type));
    if (output.json()) {
      output.json(answer);
    } else if (type == null) {
      list(output, answer);
    } else {
      show(output, answer);
    }
    return ExitCodes.OK;
  }

  private static void list(CommandOutput output, JsonNode definitions) {
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode d : definitions) {
      rows.add(
          List.of(
              text(d, "type"),
              text(d, "version"),
              d.path("runnable").asBoolean() ? "yes" : "no",
              InstanceTables.counts(d.path("counts")),
              text(d, "description")));
    }
    output.table(List.of("TYPE", "VERSION", "RUNNABLE", "INSTANCES", "DESCRIPTION"), rows);
  }

  private static void show(CommandOutput output, JsonNode d) {
    output.line(text(d, "type") + " version " + text(d, "version") + ": " + text(d, "description"));
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode s : d.path("states")) {
      List<String> next = new ArrayList<>();
      for (JsonNode t : d.path("transitions")) {
        if (text(t, "from").equals(text(s, "name"))) {
          next.add(text(t, "to"));
        }
      }
      rows.add(
          List.of(
              text(s, "name"),
              text(s, "type"),
              String.join(", ", next),
              InstanceTables.counts(s.path("counts")),
              text(s.path("timing"), "p50Ms"),
              text(s.path("timing"), "p95Ms")));
    }
    output.table(List.of("STATE", "KIND", "NEXT", "INSTANCES", "P50 MS", "P95 MS"), rows);
  }
}
