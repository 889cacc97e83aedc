package io.millrace.server.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import tools.jackson.databind.node.ObjectNode;

/**
 * A command as the parser knows and runs it, with the options that all commands have: the server's
 * address, the key, and the output format.
 */
final class CommandExecution implements Callable<Integer> {

  private static final CommandArgument URL =
      CommandArgument.text(
              "--url URL",
              "",
              "The server's address. Default: MILLRACE_URL, or http://127.0.0.1:7500.")
          .preset("${env:MILLRACE_URL:-http://127.0.0.1:7500}");
  private static final CommandArgument KEY =
      CommandArgument.text(
          "--key KEY",
          "",
          "An API key. Default: MILLRACE_API_KEY, or the content of the file that MILLRACE_API_KEY_FILE"
              + " names.");
  private static final CommandArgument JSON =
      CommandArgument.flag("--json", "", "Print the server's answer as JSON.");

  private final ClientCommand command;
  private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this);
  private final Map<CommandArgument, ArgSpec> parsed = new LinkedHashMap<>();

  private CommandExecution(ClientCommand command) {
    this.command = command;
  }

  /** Returns the parser's description of a command that runs it. */
  static CommandSpec spec(ClientCommand command) {
    CommandExecution execution = new CommandExecution(command);
    execution.addArguments();
    return execution.spec;
  }

  private void addArguments() {
    List<CommandArgument> all = new ArrayList<>(List.of(URL, KEY, JSON));
    all.addAll(command.arguments());
    int parameters = 0;
    for (CommandArgument argument : all) {
      ArgSpec arg = argument.spec(parameters);
      parsed.put(argument, arg);
      if (arg instanceof PositionalParamSpec parameter) {
        spec.addPositional(parameter);
        parameters++;
      } else if (!command.alternatives().contains(argument)) {
        spec.addOption((OptionSpec) arg);
      }
    }
    if (!command.alternatives().isEmpty()) {
      ArgGroupSpec.Builder group = ArgGroupSpec.builder();
      group.multiplicity(command.requiresAlternative() ? "1" : "0..1");
      command.alternatives().forEach(argument -> group.addArg(parsed.get(argument)));
      spec.addArgGroup(group.build());
    }
  }

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    try {
      ObjectNode given = given();
      try (ApiClient api = new ApiClient(given.path("--url").asString(""), key(given))) {
        CommandOutput output = new CommandOutput(out, given.has("--json"));
        return command.run(new CommandCall(command, api, output, given));
      }
    } catch (CliException e) {
      err.println("error: " + e.getMessage());
      return e.exitCode();
    } finally {
      out.flush();
      err.flush();
    }
  }

  /** Returns what was typed, by the names of the arguments. */
  private ObjectNode given() {
    ObjectNode given = ApiClient.JSON.createObjectNode();
    parsed.forEach((argument, arg) -> {
      Object typed = arg.getValue();
      if (typed != null && !Boolean.FALSE.equals(typed)) {
        given.set(argument.name(), argument.read(typed));
      }
    });
    return given;
  }

  private static @Nullable String key(ObjectNode given) {
    String key = System.getenv("MILLRACE_API_KEY");
    String file = System.getenv("MILLRACE_API_KEY_FILE");
    if (given.has("--key")) {
      return given.path("--key").asString().strip();
    }
    if (key != null && !key.isBlank()) {
      return key.strip();
    }
    if (file == null || file.isBlank()) {
      return null;
    }
    try {
      return Files.readString(Path.of(file)).strip();
    } catch (IOException e) {
      throw new CliException(
          ExitCodes.USAGE,
          "MILLRACE_API_KEY_FILE names '" + file + "', which cannot be read: " + e.getMessage());
    }
  }
}
