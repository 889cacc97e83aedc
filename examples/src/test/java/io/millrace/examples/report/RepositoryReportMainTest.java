package io.millrace.examples.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.examples.report.git.TestRepository;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RepositoryReportMainTest {

  private static final String TOOK = "and took .*\\.$";

  @TempDir Path temporary;

  private record Output(int code, List<String> out, List<String> err) {}

  private Output run(Path repository) {
    return run(
        repository.toString(),
        "--data",
        temporary.resolve("data").toString(),
        "--reports",
        temporary.resolve("reports").toString());
  }

  private static Output run(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    try (ShutdownSignal stop = new ShutdownSignal()) {
      int code =
          new RepositoryReportMain(print(out), print(err), false).run(List.of(arguments), stop);
      return new Output(code, lines(out), lines(err));
    }
  }

  private static PrintStream print(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, true, StandardCharsets.UTF_8);
  }

  private static List<String> lines(ByteArrayOutputStream bytes) {
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void reportsAndThenReportsWhatIsNew() throws IOException {
    try (TestRepository repository = TestRepository.at(temporary.resolve("project")).commits(30)) {
      Output first = run(repository.folder());
      Path report = temporary.resolve("reports/project-report.html");
      assertThat(first.err()).isEmpty();
      assertThat(first.code()).isZero();
      assertThat(first.out())
          .startsWith("Report on " + repository.folder().toRealPath() + " (main)")
          .contains("30 commits, 1 author, a median of 3 h between commits")
          .endsWith("Report: " + report);
      assertThat(report).exists();

      repository.commits(3);
      assertThat(run(repository.folder()).out())
          .map(line -> line.replaceAll(TOOK, "and took a while."))
          .contains("Run 2 collected 3 new commits and took a while.");
      assertThat(Files.readString(report)).contains("<dd class=\"number\">33</dd>");
    }
  }

  @Test
  void anEmptyRepositoryIsNoError() {
    try (TestRepository repository = TestRepository.at(temporary.resolve("empty"))) {
      Output output = run(repository.folder());
      assertThat(output.code()).isZero();
      assertThat(output.out())
          .singleElement()
          .asString()
          .contains("empty' has no commits on 'main' yet, so there is nothing to report.");
      assertThat(temporary.resolve("data")).doesNotExist();
    }
  }

  @Test
  void aFolderThatIsNoRepositoryIsAnErrorInOneLine() throws IOException {
    Path folder = Files.createDirectory(temporary.resolve("folder"));
    Output output = run(folder);
    assertThat(output.code()).isEqualTo(2);
    assertThat(output.out()).isEmpty();
    assertThat(output.err())
        .containsExactly(
            "error: '"
                + folder
                + "' is not a git repository, and no folder above it is; expected one with a .git"
                + " folder, or a bare one. Name another folder.");
    assertThat(run(temporary.resolve("missing")).code()).isEqualTo(2);
    assertThat(temporary.resolve("data")).doesNotExist();
  }

  @Test
  void dataCannotLieInAFile() throws IOException {
    Files.createFile(temporary.resolve("data"));
    try (TestRepository repository = TestRepository.at(temporary.resolve("project")).commits(1)) {
      Output output = run(repository.folder());
      assertThat(output.code()).isEqualTo(2);
      assertThat(output.err()).singleElement().asString().contains("data' cannot be used");
    }
  }

  @Test
  void explainsItself() {
    assertThat(run("--help").code()).isZero();
    assertThat(run("--help").out())
        .contains("usage: repository-report [repository] [--data DIR]" + " [--reports DIR]");
    assertThat(run("--fast").code()).isEqualTo(2);
    assertThat(run("--fast").err())
        .containsExactly("error: Option '--fast' is unknown; --help shows all there are.");
  }
}
