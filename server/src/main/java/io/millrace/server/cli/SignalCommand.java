package io.millrace.server.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

@Command(name = "signal", description = "Sends a signal to an instance.")
final class SignalCommand extends ApiCommand {

  @Parameters(index = "0", paramLabel = "ID", description = "The instance.")
  long id;

  @Parameters(index = "1", paramLabel = "NAME", description = "The signal's name.")
  String name = "";

  @Option(
      names = "--payload",
      paramLabel = "JSON",
      description = "The payload; @FILE reads it from a file.")
  @Nullable String payload;

  @Option(
      names = "--once",
      paramLabel = "KEY",
      description = "A second signal with this key is dropped.")
  @Nullable String once;

  @Override
  int run(ApiClient api, CommandOutput output) {
    ObjectNode body = ApiClient.JSON.createObjectNode().put("name", name);
    if (payload != null) {
      body.set("payload", JsonArguments.json("--payload", payload));
    }
    if (once != null) {
      body.put("key", once);
    }
    api.post("/instances/" + id + "/signals", body);
    output.printConfirmation("Sent '" + name + "' to instance " + id + ".");
    return ExitCodes.OK;
  }
}
