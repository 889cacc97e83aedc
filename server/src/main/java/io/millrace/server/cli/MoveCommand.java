package io.millrace.server.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

@Command(name = "move", description = "Moves an instance to a state and makes it due there.")
final class MoveCommand extends ApiCommand {

  @Parameters(index = "0", paramLabel = "ID", description = "The instance.")
  long id;

  @Parameters(index = "1", paramLabel = "STATE", description = "Where to.")
  String state = "";

  @Option(names = "--from", paramLabel = "STATE", description = "Refuse unless it is there.")
  @Nullable String from;

  @Option(
      names = "--force",
      description =
          "Move it also where its definition does not permit that, and while its children run.")
  boolean force;

  @Option(names = "--reason", paramLabel = "TEXT", description = "Written into the history.")
  @Nullable String reason;

  @Override
  int run(ApiClient api, CommandOutput output) {
    ObjectNode body = ApiClient.JSON.createObjectNode().put("state", state);
    if (from != null) {
      body.put("expectedState", from);
    }
    if (force) {
      body.put("force", true);
    }
    if (reason != null) {
      body.put("reason", reason);
    }
    api.post("/instances/" + id + "/move", body);
    output.printConfirmation("Instance " + id + " moved to " + state + ".");
    return ExitCodes.OK;
  }
}
