package io.millrace.server.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The options that every command of this package has: the server's address, the key, and the output
 * format.
 */
abstract class ApiCommand implements Callable<Integer> {

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  CommandSpec spec;

  @Option(
      names = "--url",
      paramLabel = "URL",
      defaultValue = "${env:MILLRACE_URL:-http://127.0.0.1:7500}",
      description = "The server's address. Default: MILLRACE_URL, or http://127.0.0.1:7500.")
  String url = "";

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description =
          "An API key. Default: MILLRACE_API_KEY, or the content of the file that MILLRACE_API_KEY_FILE names.")
  @Nullable String key;

  @Option(names = "--json", description = "Print the server's answer as JSON.")
  boolean json;

  /** Runs the command and returns its exit code. */
  abstract int run(ApiClient api, CommandOutput output);

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    try (ApiClient api =
        new ApiClient(
            url, key(System.getenv("MILLRACE_API_KEY"), System.getenv("MILLRACE_API_KEY_FILE")))) {
      return run(api, new CommandOutput(out, json));
    } catch (CliException e) {
      err.println("error: " + e.getMessage());
      return e.exitCode();
    } finally {
      out.flush();
      err.flush();
    }
  }

  private @Nullable String key(@Nullable String fromEnvironment, @Nullable String file) {
    if (key != null) {
      return key.strip();
    }
    if (fromEnvironment != null && !fromEnvironment.isBlank()) {
      return fromEnvironment.strip();
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
