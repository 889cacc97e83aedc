package io.millrace.verification.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.fixtures.Patience;
import io.millrace.verification.docs.DocPage.Block;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the pages print the code that the tests run, and that everything they name exists. */
class DocPagesTest {

  private static final Path TOP = DocPage.checkout();

  static Stream<DocPage> pages() {
    return DocPage.all(TOP).stream();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void everyProgramIsCutFromAFileThatIsCompiledAndRun(DocPage docPage) {
    for (Block block : docPage.blocks()) {
      assertThat(block.language()).as(docPage + ":" + block.line() + " language").isNotBlank();
      if (block.language().equals("java")) {
        assertThat(block.text())
            .as(docPage + ":" + block.line())
            .isEqualTo(block.source().text(TOP).stripTrailing());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void everyLinkWithinTheProjectLeadsSomewhere(DocPage docPage) {
    assertThat(docPage.links()).allSatisfy(target -> assertThat(target).exists());
  }

  @Test
  @Tag("kills")
  void theReadmesProgramPrintsWhatTheReadmeSays() throws IOException, InterruptedException {
    DocPage readme = DocPage.read(TOP, "README.md");
    Block program = only(readme, "java");
    String type =
        program
            .source()
            .path()
            .replaceFirst(".*/src/main/java/", "")
            .replace('/', '.')
            .replace(".java", "");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                type)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    assertThat(output.strip()).isEqualTo(only(readme, "text").text());
  }

  private static Block only(DocPage docPage, String language) {
    List<Block> found =
        docPage.blocks().stream().filter(b -> b.language().equals(language)).toList();
    assertThat(found).as(language + " blocks of " + docPage).hasSize(1);
    return found.getFirst();
  }

  /** A requirement of the dispatcher: its number and the tests that it names. */
  private record Row(String number, List<String> tests) {}

  private static List<Row> dispatchRequirements() {
    Pattern row = Pattern.compile("\\| (\\d+\\.\\d+) \\| [^|]+ \\| ([^|]+) \\|");
    List<Row> rows = new ArrayList<>();
    for (String line :
        DocPage.read(TOP, "verification/REQUIREMENTS.md").section("Dispatch and recovery")) {
      Matcher matcher = row.matcher(line);
      if (matcher.matches()) {
        List<String> tests = new ArrayList<>();
        for (Matcher name = Pattern.compile("`([^`]+)`").matcher(matcher.group(2)); name.find(); ) {
          tests.add(name.group(1));
        }
        rows.add(new Row(matcher.group(1), tests));
      }
    }
    return rows;
  }

  @Test
  void everyDispatchRequirementNamesATest() {
    List<Row> rows = dispatchRequirements();
    assertThat(rows).hasSizeGreaterThan(30);
    assertThat(rows).allSatisfy(row -> assertThat(row.tests()).as(row.number()).isNotEmpty());
    assertThat(rows.stream().map(Row::number)).doesNotHaveDuplicates();
  }

  @Test
  void everyTestThatADispatchRequirementNamesExists() {
    List<String> missing =
        dispatchRequirements().stream()
            .flatMap(r -> r.tests().stream())
            .distinct()
            .filter(t -> !RequirementsTest.isTest(t))
            .toList();
    assertThat(missing).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"adr", "docs"})
  void everyPageIsInTheIndexOfItsFolder(String folder) {
    DocPage index = DocPage.read(TOP, folder + "/README.md");
    assertThat(index.links())
        .containsAll(
            DocPage.all(TOP).stream()
                .map(DocPage::file)
                .filter(file -> file.startsWith(TOP.resolve(folder)) && !file.equals(index.file()))
                .toList());
  }

  @Test
  void aBlockThatDiffersOrHasNoSourceIsNoticed(@TempDir Path folder) throws IOException {
    Files.writeString(
        folder.resolve("A.java"),
        """
        class A {
          // docs:one
          int a;
          // docs:end
        }
        """);
    Files.writeString(
        folder.resolve("page.md"),
        """
        <!-- from A.java#one -->
        ```java
        int a;
        ```

        ```java
        int b;
        ```

        <!-- from A.java#two -->
        ```java
        int c;
        ```
        """);
    List<Block> blocks = DocPage.read(folder, "page.md").blocks();
    assertThat(blocks).hasSize(3);
    assertThat(blocks.getFirst().source().text(folder)).isEqualTo(blocks.getFirst().text());
    assertThatThrownBy(() -> blocks.get(1).source()).hasMessageContaining("line 6");
    assertThatThrownBy(() -> blocks.get(2).source().text(folder)).hasMessageContaining("docs:two");
  }
}
