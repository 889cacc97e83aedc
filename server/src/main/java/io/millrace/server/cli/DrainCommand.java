package io.millrace.server.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

@Command(name = "drain", description = "Asks an executor to stop in good order.")
final class DrainCommand extends ApiCommand {

  @Parameters(paramLabel = "EXECUTOR", description = "Its id; see 'millrace executors'.")
  long id;

  @Option(names = "--reason", paramLabel = "TEXT", description = "Written into the audit.")
  @Nullable String reason;

  @Option(
      names = "--grace",
      paramLabel = "SECONDS",
      description = "How long handlers may go on. Default: the executor's own.")
  @Nullable Integer grace;

  @Override
  int run(ApiClient api, CommandOutput output) {
    ObjectNode body = ApiClient.JSON.createObjectNode();
    if (reason != null) {
      body.put("reason", reason);
    }
    if (grace != null) {
      body.put("graceSeconds", grace);
    }
    api.post("/executors/" + id + "/drain", body);
    output.printConfirmation("Executor " + id + " is asked to drain. Look: millrace executors");
    return ExitCodes.OK;
  }
}
