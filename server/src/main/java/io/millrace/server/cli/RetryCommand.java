package io.millrace.server.cli;

import picocli.CommandLine.Command;

@Command(name = "retry", description = "Runs the current state again now, with fresh attempts.")
final class RetryCommand extends InstanceActionCommand {

  @Override
  String action() {
    return "retry";
  }
}
