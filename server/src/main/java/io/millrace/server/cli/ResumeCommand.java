package io.millrace.server.cli;

import picocli.CommandLine.Command;

@Command(name = "resume", description = "Ends a pause.")
final class ResumeCommand extends InstanceActionCommand {

  @Override
  String action() {
    return "resume";
  }
}
