package io.millrace.server.cli;

import static io.millrace.server.cli.CommandOutput.text;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

@Command(
    name = "executors",
    description = "Lists the processes that work, and those that ended lately.")
final class ExecutorsCommand extends ApiCommand {

  @Override
  int run(ApiClient api, CommandOutput output) {
    JsonNode executors = api.get("/executors");
    if (output.json()) {
      output.json(executors);
      return ExitCodes.OK;
    }
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode e : executors) {
      rows.add(
          List.of(
              text(e, "id"),
              text(e, "status"),
              text(e, "host") + ":" + text(e, "pid"),
              text(e, "group"),
              text(e, "runningHandlers") + "/" + text(e, "concurrency"),
              text(e, "held"),
              text(e, "active"),
              text(e, "version")));
    }
    output.table(
        List.of("ID", "STATUS", "PROCESS", "GROUP", "BUSY", "HELD", "HEARTBEAT", "VERSION"), rows);
    return ExitCodes.OK;
  }
}
