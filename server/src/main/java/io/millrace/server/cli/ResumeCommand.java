package io.millrace.server.cli;

import picocli.CommandLine.Command;

@Command(name = "resume", description = "Ends a pause.")
final class ResumeCommand extends DeedCommand {

  @Override
  String action() {
    return "resume";
  }
}
