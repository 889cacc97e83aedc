package io.millrace.server.cli;

import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The options of a bulk run. It first counts the instances, and starts only with the confirmed
 * count.
 */
final class BulkOptions {

  @Option(names = "--dry-run", description = "With a filter: only count what would be touched.")
  boolean dryRun;

  @Option(
      names = "--yes",
      paramLabel = "COUNT",
      description = "With a filter: do it, if this many match. --dry-run tells the count.")
  @Nullable Long expected;

  /** Counts the instances, or starts the run that {@code body} describes. */
  int run(ApiClient api, CommandOutput output, ObjectNode body) {
    if (dryRun || expected == null) {
      JsonNode count = api.post("/bulk", body.put("dryRun", true));
      if (output.json()) {
        output.json(count);
      } else {
        output.line(
            InstanceTables.count(count)
                + (count.path("count").asLong() == 1 ? " instance matches." : " instances match.")
                + (dryRun
                    ? ""
                    : " Nothing was done: add --yes " + CommandOutput.text(count, "count") + "."));
      }
      return dryRun ? ExitCodes.OK : ExitCodes.USAGE;
    }
    JsonNode run =
        api.post("/bulk", body.put("expectedCount", expected), UUID.randomUUID().toString());
    if (output.json()) {
      output.json(run);
    } else {
      output.line(
          InstanceTables.bulk(run) + " Follow it: millrace watch " + CommandOutput.text(run, "id"));
    }
    return ExitCodes.OK;
  }
}
