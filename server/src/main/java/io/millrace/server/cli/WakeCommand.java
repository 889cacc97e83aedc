package io.millrace.server.cli;

import picocli.CommandLine.Command;

@Command(name = "wake", description = "Makes instances due now.")
final class WakeCommand extends InstanceActionCommand {

  @Override
  String action() {
    return "wake";
  }
}
