package io.millrace.examples.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.examples.report.git.TestRepository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that kill real processes in the middle of their work. */
@Tag("kills")
class RepositoryReportKillTest {

  private static final int COMMITS = 20_000;
  private static final int SIGTERM = 15;
  private static final long PATIENCE_SECONDS = 120;
  private static final Pattern CONTINUED =
      Pattern.compile("Continuing run 1 where it stopped: collect, ([0-9,]+) of 20,000 commits\\.");

  @TempDir static Path shared;
  private static TestRepository repository;

  @TempDir Path temporary;
  private final List<Program> programs = new ArrayList<>();

  private record Program(Process process, Path output) {

    /** Returns the output of the program after it has ended. */
    String finish() throws Exception {
      assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
      return Files.readString(output);
    }
  }

  @BeforeAll
  static void create() {
    repository = TestRepository.at(shared.resolve("project")).commits(COMMITS);
  }

  @AfterAll
  static void close() {
    repository.close();
  }

  @AfterEach
  void endPrograms() throws InterruptedException {
    for (Program program : programs) {
      program.process().destroyForcibly().waitFor();
    }
  }

  @Test
  void goesOnAfterKill9WithoutRepeatingAFinishedStep() throws Exception {
    Program killed = start("first");
    awaitParts(killed, "first", 3);
    killed.process().destroyForcibly().waitFor();
    Map<String, FileTime> before = parts("first");

    Program next = start("first");
    int done = continuedAt(next.finish());
    assertThat(next.process().exitValue()).isZero();
    assertThat(done).isBetween((before.size() - 1) * 1000, before.size() * 1000);
    before.keySet().removeIf(part -> number(part) * 1000 >= done);
    assertThat(parts("first")).containsAllEntriesOf(before).hasSize(COMMITS / 1000);

    assertThat(start("second").finish()).doesNotContain("Continuing");
    assertThat(report("first")).isEqualTo(report("second"));
  }

  @Test
  void stopsInGoodOrderWhenTold() throws Exception {
    Program stopped = start("data");
    awaitParts(stopped, "data", 1);
    stopped.process().destroy();
    assertThat(stopped.finish()).contains("Stopped. The same command goes on where this one was.");
    assertThat(stopped.process().exitValue()).isEqualTo(128 + SIGTERM);

    int parts = parts("data").size();
    Program next = start("data");
    assertThat(continuedAt(next.finish())).isEqualTo(parts * 1000);
    assertThat(next.process().exitValue()).isZero();
  }

  @Test
  void refusesADataFolderThatIsInUse() throws Exception {
    Path data = Files.createDirectory(temporary.resolve("data"));
    try (Connection holder =
        DriverManager.getConnection("jdbc:h2:file:" + new OutputFolders(data, data).database())) {
      Program refused = start("data");
      assertThat(refused.finish())
          .isEqualTo(
              "error: The data folder '%s' is in use by another process; expected one at a time."
                      .formatted(data)
                  + " Wait until it has ended, or choose another folder with --data."
                  + System.lineSeparator());
      assertThat(refused.process().exitValue()).isEqualTo(RepositoryReportMain.WRONG_USE);
      assertThat(holder.isClosed()).isFalse();
    }
  }

  private Program start(String data) throws IOException {
    Path output = Files.createTempFile(temporary, "output", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            RepositoryReportMain.class.getName(),
            repository.folder().toString(),
            "--data",
            temporary.resolve(data).toString(),
            "--reports",
            temporary.resolve(data + "-reports").toString());
    Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
    Program program = new Program(process, output);
    programs.add(program);
    return program;
  }

  private void awaitParts(Program program, String data, int count) throws Exception {
    while (parts(data).size() < count) {
      assertThat(program.process().waitFor(5, TimeUnit.MILLISECONDS))
          .withFailMessage("it ended too early")
          .isFalse();
    }
  }

  /** Returns the files of collected commits with their modification times. */
  private Map<String, FileTime> parts(String data) throws IOException {
    Path folder = temporary.resolve(data).resolve("commits");
    Map<String, FileTime> parts = new TreeMap<>();
    if (Files.isDirectory(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.filter(RepositoryReportKillTest::isPart).toList()) {
          parts.put(file.getFileName().toString(), Files.getLastModifiedTime(file));
        }
      }
    }
    return parts;
  }

  private static boolean isPart(Path file) {
    String name = file.getFileName().toString();
    return name.startsWith("run-") && name.endsWith("-commits.json");
  }

  private static int number(String part) {
    return Integer.parseInt(part.substring("run-000001-".length(), "run-000001-000000".length()));
  }

  private static int continuedAt(String output) {
    Matcher matcher = CONTINUED.matcher(output);
    assertThat(matcher.find()).withFailMessage(output).isTrue();
    return Integer.parseInt(matcher.group(1).replace(",", ""));
  }

  /** Returns the page without its creation time. */
  private String report(String data) throws IOException {
    Path file = temporary.resolve(data + "-reports").resolve("project-report.html");
    return Files.readString(file).replaceAll("<time id=\"made\".*</time>", "");
  }
}
