package io.millrace.server.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The program with all commands of this package, for tests. */
final class CliProgram {

  private CliProgram() {}

  @Command(name = "millrace")
  static final class Top {}

  /** Returns the program as it is for these arguments. */
  static CommandLine commands(String... arguments) {
    CommandLine line = new CommandLine(new Top());
    ClientCommands.addTo(line, arguments);
    return line;
  }

  /** Runs a command with a key; returns the exit code. */
  static int run(FakeServer server, StringWriter out, StringWriter err, List<String> command) {
    List<String> all = new ArrayList<>(command);
    all.addAll(List.of("--url", server.url(), "--key", "mr_test"));
    String[] arguments = all.toArray(String[]::new);
    return commands(arguments)
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }
}
