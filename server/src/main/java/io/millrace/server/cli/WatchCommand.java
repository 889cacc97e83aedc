package io.millrace.server.cli;

import static io.millrace.server.cli.CommandOutput.text;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "watch",
    description = {
      "Prints what happens to an instance until it has ended.",
      "Exits with 0 when it finished, with 1 when it failed or was cancelled."
    })
final class WatchCommand extends ApiCommand {
  private static final Set<String> ENDED = Set.of("finished", "failed", "cancelled");

  @Parameters(paramLabel = "ID", description = "The instance.")
  long id;

  @Option(
      names = "--every",
      paramLabel = "SECONDS",
      defaultValue = "1",
      description = "How often to look. Default: 1.")
  double every;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "Give up after this time, with exit code 1. Default: never.")
  double timeout;

  private long seen;
  private String sentence = "";

  @Override
  int run(ApiClient api, CommandOutput output) {
    Instant end = timeout > 0 ? Instant.now().plusMillis((long) (timeout * 1000)) : Instant.MAX;
    JsonNode instance = look(api, output);
    while (!ENDED.contains(text(instance, "status"))) {
      if (Instant.now().isAfter(end)) {
        throw new CliException(
            ExitCodes.FAILED, "Instance " + id + " has not ended within " + timeout + " seconds.");
      }
      pause();
      instance = lookAgain(api, output, instance);
    }
    if (output.json()) {
      output.json(instance);
    }
    return "finished".equals(text(instance, "status")) ? ExitCodes.OK : ExitCodes.FAILED;
  }

  /** Prints the new history entries and returns the instance. */
  private JsonNode look(ApiClient api, CommandOutput output) {
    String path = "/instances/" + id;
    // The instance first: everything it reports is then already in the history.
    JsonNode instance = api.get(path);
    seen = news(api, output, path, seen);
    tell(
        output,
        text(instance, "status")
            + " in "
            + text(instance, "state")
            + ". "
            + text(instance.path("why"), "sentence"));
    return instance;
  }

  /**
   * Reads again; returns the last known instance while the server or its database is unavailable.
   */
  private JsonNode lookAgain(ApiClient api, CommandOutput output, JsonNode before) {
    try {
      return look(api, output);
    } catch (CliException e) {
      if (e.exitCode() != ExitCodes.UNREACHABLE) {
        throw e;
      }
      tell(output, "No answer from the server; the watch goes on.");
      return before;
    }
  }

  private void tell(CommandOutput output, String news) {
    if (!output.json() && !news.equals(sentence)) {
      output.line(news);
      sentence = news;
    }
  }

  /** Prints the history entries after {@code seen} and returns the number of the last one. */
  private static long news(ApiClient api, CommandOutput output, String path, long seen) {
    long last = seen;
    JsonNode page;
    do {
      page = api.get(path + "/actions?limit=1000&after=" + last);
      for (JsonNode action : page.path("items")) {
        last = action.path("seq").asLong();
      }
      if (!output.json()) {
        InstanceTables.actions(output, page.path("items"));
      }
    } while (page.path("next").isNumber());
    return last;
  }

  private void pause() {
    try {
      Thread.sleep(Duration.ofMillis(Math.max(50, (long) (every * 1000))));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CliException(ExitCodes.FAILED, "Interrupted.");
    }
  }
}
