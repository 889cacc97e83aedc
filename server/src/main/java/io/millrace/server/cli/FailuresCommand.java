package io.millrace.server.cli;

import static io.millrace.server.cli.CommandOutput.reason;
import static io.millrace.server.cli.CommandOutput.text;
import static io.millrace.server.cli.CommandOutput.time;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(
    name = "failures",
    description = "Groups failed and parked instances by what made them fail.")
final class FailuresCommand extends ApiCommand {

  @Option(names = "--type", paramLabel = "TYPE", description = "Only of this workflow.")
  @Nullable String type;

  @Override
  int run(ApiClient api, CommandOutput output) {
    StringBuilder path = new StringBuilder("/failures?limit=1000");
    if (type != null) {
      InstanceFilterOptions.append(path, "type", type);
    }
    JsonNode groups = api.get(path.toString());
    if (output.json()) {
      output.json(groups);
      return ExitCodes.OK;
    }
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode g : groups) {
      rows.add(
          List.of(
              text(g, "fingerprint"),
              text(g, "count"),
              text(g, "type"),
              text(g, "state"),
              time(g, "last"),
              text(g, "newestId"),
              reason(g, "reason")));
    }
    output.table(
        List.of("FINGERPRINT", "COUNT", "TYPE", "STATE", "LAST", "NEWEST", "REASON"), rows);
    if (rows.isEmpty()) {
      output.line("Nothing has failed.");
    } else {
      output.line("Retry a group: millrace retry --failure FINGERPRINT --dry-run");
    }
    return ExitCodes.OK;
  }
}
