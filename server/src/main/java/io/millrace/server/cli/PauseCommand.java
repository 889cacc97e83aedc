package io.millrace.server.cli;

import picocli.CommandLine.Command;

@Command(name = "pause", description = "Keeps instances from running until they are resumed.")
final class PauseCommand extends InstanceActionCommand {

  @Override
  String action() {
    return "pause";
  }
}
