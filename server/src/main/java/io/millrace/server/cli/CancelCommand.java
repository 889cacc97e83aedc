package io.millrace.server.cli;

import picocli.CommandLine.Command;

@Command(name = "cancel", description = "Ends instances as cancelled.")
final class CancelCommand extends InstanceActionCommand {

  @Override
  String action() {
    return "cancel";
  }
}
