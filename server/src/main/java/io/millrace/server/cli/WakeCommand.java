package io.millrace.server.cli;

import picocli.CommandLine.Command;

@Command(name = "wake", description = "Makes instances due now.")
final class WakeCommand extends DeedCommand {

  @Override
  String action() {
    return "wake";
  }
}
