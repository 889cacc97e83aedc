package io.millrace.server.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

@Command(name = "wake", description = "Makes instances due now.")
final class WakeCommand extends InstanceActionCommand {

  @Option(
      names = "--from",
      paramLabel = "STATE",
      description = "Refuse unless it is there; goes with ids.")
  @Nullable String from;

  @Override
  String action() {
    return "wake";
  }

  @Override
  void addTo(ObjectNode body) {
    if (from != null) {
      body.put("expectedState", from);
    }
  }
}
