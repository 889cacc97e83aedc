package io.millrace.server.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

@Command(name = "cordon", description = "Has an executor take no new work; what it holds goes on.")
class CordonCommand extends ApiCommand {

  @Parameters(paramLabel = "EXECUTOR", description = "Its id; see 'millrace executors'.")
  long id;

  @Option(names = "--reason", paramLabel = "TEXT", description = "Written into the audit.")
  @Nullable String reason;

  /** Returns the last part of the path. */
  String action() {
    return "cordon";
  }

  @Override
  int run(ApiClient api, CommandOutput output) {
    ObjectNode body = ApiClient.JSON.createObjectNode();
    if (reason != null) {
      body.put("reason", reason);
    }
    api.post("/executors/" + id + "/" + action(), body);
    output.printConfirmation(
        "Executor " + id + " is asked to " + action() + ". Look: millrace executors");
    return ExitCodes.OK;
  }

  @Command(name = "uncordon", description = "Has a cordoned executor take work again.")
  static final class Uncordon extends CordonCommand {
    @Override
    String action() {
      return "uncordon";
    }
  }
}
