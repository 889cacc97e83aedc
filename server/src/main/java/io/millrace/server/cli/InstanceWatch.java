package io.millrace.server.cli;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** The command {@code watch}, which follows an instance until it has ended. */
final class InstanceWatch {

  private static final Set<String> ENDED = Set.of("finished", "failed", "cancelled");

  private final CommandCall call;
  private long seen;
  private String sentence = "";

  InstanceWatch(CommandCall call) {
    this.call = call;
  }

  int run() {
    double timeout = call.given().path("--timeout").asDouble(0);
    Instant end = timeout > 0 ? Instant.now().plusMillis((long) (timeout * 1000)) : Instant.MAX;
    JsonNode instance = look();
    while (!ENDED.contains(instance.path("status").asString(""))) {
      if (Instant.now().isAfter(end)) {
        throw new CliException(
            ExitCodes.FAILED,
            "Instance " + call.text("ID") + " has not ended within " + timeout + " seconds.");
      }
      pause();
      instance = lookAgain(instance);
    }
    if (call.output().json()) {
      call.output().json(instance);
    }
    return "finished".equals(instance.path("status").asString()) ? ExitCodes.OK : ExitCodes.FAILED;
  }

  /** Prints the new history entries and returns the instance. */
  private JsonNode look() {
    // The instance first: everything it reports is then already in the history.
    JsonNode instance = call.get(InstanceCommands.PATH);
    printNews();
    tell(new TemplateValues(instance, call.given()).text("{status} in {state}. {why.sentence}"));
    return instance;
  }

  /**
   * Reads again; returns the last known instance while the server or its database is unavailable.
   */
  private JsonNode lookAgain(JsonNode before) {
    try {
      return look();
    } catch (CliException e) {
      if (e.exitCode() != ExitCodes.UNREACHABLE) {
        throw e;
      }
      tell("No answer from the server; the watch goes on.");
      return before;
    }
  }

  private void tell(String news) {
    if (!call.output().json() && !news.equals(sentence)) {
      call.output().line(news);
      sentence = news;
    }
  }

  /** Prints the history entries after the last seen one. */
  private void printNews() {
    long last = seen;
    JsonNode page;
    do {
      page = call.get(InstanceCommands.PATH + "/history?limit=1000&after=" + last);
      for (JsonNode entry : page.path("items")) {
        last = entry.path("seq").asLong();
      }
      if (!call.output().json()) {
        call.show(page, AnswerPart.each("items", InstanceCommands.ENTRY));
      }
    } while (page.path("next").isNumber());
    seen = last;
  }

  private void pause() {
    double every = call.given().path("--every").asDouble(1);
    try {
      Thread.sleep(Duration.ofMillis(Math.max(50, (long) (every * 1000))));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CliException(ExitCodes.FAILED, "Interrupted.");
    }
  }
}
