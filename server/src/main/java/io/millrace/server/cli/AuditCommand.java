package io.millrace.server.cli;

import static io.millrace.server.cli.CommandOutput.text;
import static io.millrace.server.cli.CommandOutput.time;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(name = "audit", description = "Lists who did what, newest first.")
final class AuditCommand extends ApiCommand {

  @Option(names = "--actor", paramLabel = "NAME")
  @Nullable String actor;

  @Option(
      names = "--action",
      paramLabel = "ACTION",
      description = "Such as retry, cancel or login.")
  @Nullable String action;

  @Option(names = "--instance", paramLabel = "ID")
  @Nullable String instance;

  @Option(names = "--from", paramLabel = "TIME", description = "As 2026-11-21T08:00:00Z.")
  @Nullable String from;

  @Option(names = "--to", paramLabel = "TIME")
  @Nullable String to;

  @Option(
      names = "--limit",
      defaultValue = "50",
      description = "Most entries, 1 to 1000. Default: 50.")
  int limit;

  @Option(names = "--cursor", description = "The cursor that the page before ended with.")
  @Nullable String cursor;

  @Override
  int run(ApiClient api, CommandOutput output) {
    StringBuilder path = new StringBuilder("/audit?limit=" + limit);
    InstanceFilterOptions.appendGiven(path, "actor", actor);
    InstanceFilterOptions.appendGiven(path, "action", action);
    InstanceFilterOptions.appendGiven(path, "instance", instance);
    InstanceFilterOptions.appendGiven(path, "from", from);
    InstanceFilterOptions.appendGiven(path, "to", to);
    InstanceFilterOptions.appendGiven(path, "cursor", cursor);
    JsonNode page = api.get(path.toString());
    if (output.json()) {
      output.json(page);
      return ExitCodes.OK;
    }
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode e : page.path("items")) {
      rows.add(
          List.of(
              time(e, "at"),
              text(e, "actor"),
              text(e, "action"),
              text(e, "instanceId"),
              text(e, "target"),
              text(e, "reason")));
    }
    output.table(List.of("AT", "ACTOR", "ACTION", "INSTANCE", "TARGET", "REASON"), rows);
    InstanceTables.more(output, page);
    return ExitCodes.OK;
  }
}
