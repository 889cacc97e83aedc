package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.server.cli.ClientCommands;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Tests the commands about task sequences against a server that runs them. */
final class SequenceCommandLineTest {

  private static final String DAILY =
      """
      {"sequenceId": "nightly", "type": "Count", "tasks": [{"task": "COUNT"}, {"task": "MAIL"}],
       "schedule": {"frequency": "DAILY"%s}}
      """;

  @TempDir private Path folder;

  private TestServer server;

  @Command(name = "millrace")
  static class Top {}

  @BeforeEach
  void start() {
    server = TestServer.inMemory();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String run(int expected, String... args) {
    List<String> words = new ArrayList<>(List.of(args));
    words.addAll(List.of("--url", "http://127.0.0.1:" + server.port()));
    String[] all = words.toArray(String[]::new);
    StringWriter out = new StringWriter();
    CommandLine line = new CommandLine(new Top());
    ClientCommands.addTo(line, all);
    int code = line.setOut(new PrintWriter(out)).setErr(new PrintWriter(out)).execute(all);
    assertThat(code).as(out.toString()).isEqualTo(expected);
    return out.toString();
  }

  private String file(String text) throws IOException {
    return Files.writeString(folder.resolve("given.json"), text).toString();
  }

  @Test
  void aSequenceOfAnUnknownClassIsAddedWithAWarning() throws IOException {
    server
        .sequences()
        .tasks()
        .add(io.millrace.sequence.Task.of("GONE", "Count").component("com.example.Gone"));
    String given = DAILY.formatted("").replace("COUNT", "GONE");
    assertThat(run(0, "sequences", "add", file(given)))
        .contains("nightly is added.", "Warning: ", "'GONE'", "com.example.Gone");
    assertThat(run(0, "sequences", "list")).contains("Problem: ", "com.example.Gone");
    assertThat(run(0, "sequences", "show", "nightly")).contains("Problem: ", "com.example.Gone");
  }

  @Test
  void aSequenceIsAddedRunLookedAtChangedAndRemoved() throws IOException {
    assertThat(run(0, "sequences", "add", file(DAILY.formatted("")))).contains("nightly is added.");
    assertThat(run(1, "sequences", "add", file(DAILY.formatted("")))).contains("error:", "nightly");
    assertThat(run(0, "sequences", "list", "--type", "Count", "NIGHT"))
        .contains("nightly  Count  NOT_STARTED  yes   DAILY");
    assertThat(run(0, "sequences", "show", "nightly"))
        .contains("1. COUNT", "2. MAIL  over count.mail", "every day at 00:00:01 UTC");

    assertThat(run(0, "sequences", "pause", "nightly", "--reason", "closed"))
        .contains("is paused.");
    assertThat(run(0, "sequences", "show", "nightly")).contains("Paused by", ": closed");
    run(0, "sequences", "resume", "nightly");
    run(0, "sequences", "deactivate", "nightly");
    assertThat(run(0, "sequences", "list")).contains("NOT_STARTED  no ");
    run(0, "sequences", "activate", "nightly");

    assertThat(run(0, "sequences", "run", "nightly", "--parameters", "{\"draft\":true}"))
        .contains("Started execution ");
    server.awaitCompletedFire("nightly");
    assertThat(run(0, "sequences", "slots", "nightly")).contains("completed  manual");
    assertThat(run(0, "sequences", "history", "nightly"))
        .contains("MAIL   COMPLETED  0\n    mailed 3", "COUNT  COMPLETED  0");
    assertThat(
            run(
                0,
                "sequences",
                "backfill",
                "nightly",
                "--dry-run",
                "--from",
                "2026-01-01T00:00:00Z",
                "--to",
                "2026-01-03T00:00:00Z"))
        .contains("2026-01-01T00:00:01Z  would run", "2026-01-02T00:00:01Z", "nothing was begun");
    assertThat(run(1, "sequences", "restart", "nightly")).contains("error:", "ABORTED");

    assertThat(
            run(0, "sequences", "change", file(DAILY.formatted(", \"zone\": \"Europe/Berlin\""))))
        .contains("nightly is changed.");
    assertThat(run(0, "sequences", "show", "nightly")).contains("Europe/Berlin");
    run(0, "sequences", "remove", "nightly");
    assertThat(run(3, "sequences", "show", "nightly")).contains("error:", "nightly");
  }

  @Test
  void tasksSchedulesAndChannels() throws IOException {
    String task = "{\"name\":\"NEW\",\"type\":\"Count\",\"component\":\"com.example.New\"%s}";
    assertThat(run(0, "tasks", "add", file(task.formatted(""))))
        .contains("Task NEW is added", "com.example.New");
    assertThat(run(0, "tasks", "change", file(task.formatted(",\"maxRetries\":2"))))
        .contains("Task NEW is changed");
    assertThat(run(0, "tasks", "show", "NEW")).contains("Retries    2");
    assertThat(run(0, "tasks", "list")).contains("NEW     Count  no", "COUNT   Count  yes");
    run(0, "tasks", "remove", "NEW");
    assertThat(run(3, "tasks", "show", "NEW")).contains("error:");

    assertThat(run(0, "sequences", "explain", "{\"cron\":\"0/30 0 0 ? * * *\"}"))
        .contains("every day", "Warning: ");
    assertThat(run(1, "sequences", "explain", "{\"cron\":\"nonsense\"}")).contains("error:");
    run(0, "sequences", "add", file(DAILY.formatted("")));
    assertThat(run(0, "sequences", "calendar")).contains("by hour: ");
    assertThat(run(0, "sequences", "calendar", "--from", TestServer.START.toString()))
        .contains("planned", "nightly", "by hour: ");
    assertThat(run(0, "channels", "list")).contains("count.mail", "MAIL");
  }
}
