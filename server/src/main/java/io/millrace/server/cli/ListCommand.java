package io.millrace.server.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(
    name = "list",
    aliases = "instances",
    description = "Lists instances that match all given conditions, newest first.")
final class ListCommand extends ApiCommand {

  @Mixin InstanceFilterOptions filter = new InstanceFilterOptions();

  @Option(
      names = "--limit",
      defaultValue = "50",
      description = "Most instances, 1 to 1000. Default: 50.")
  int limit;

  @Option(names = "--cursor", description = "The cursor that the page before ended with.")
  @Nullable String cursor;

  @Option(names = "--count", description = "Only count them.")
  boolean count;

  @Override
  int run(ApiClient api, CommandOutput output) {
    if (count) {
      JsonNode answer = api.get("/instances/count?cap=1000000" + filter.query());
      if (output.json()) {
        output.json(answer);
      } else {
        output.line(InstanceTables.count(answer));
      }
      return ExitCodes.OK;
    }
    StringBuilder query = new StringBuilder("/instances?limit=" + limit + filter.query());
    if (cursor != null) {
      InstanceFilterOptions.append(query, "cursor", cursor);
    }
    JsonNode page = api.get(query.toString());
    if (output.json()) {
      output.json(page);
      return ExitCodes.OK;
    }
    InstanceTables.instances(output, page.path("items"));
    InstanceTables.more(output, page);
    return ExitCodes.OK;
  }
}
