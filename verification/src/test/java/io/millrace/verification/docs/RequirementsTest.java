package io.millrace.verification.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.sequence.SequenceStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that every requirement names tests that exist, and the diagram of statuses matches the
 * code.
 */
class RequirementsTest {

  private static final DocPage SEQUENCES =
      DocPage.read(DocPage.checkout(), "docs/task-sequences.md");
  private static final DocPage REQUIREMENTS =
      DocPage.read(DocPage.checkout(), "verification/REQUIREMENTS.md");

  private static final List<Numbered> NUMBERED =
      List.of(
          new Numbered("Task sequences", "R", 82),
          new Numbered("Continuous workflows", "R", 42),
          new Numbered("Redis flows", "R", 41),
          new Numbered("Redis flows", "F", 27));

  private static final Pattern ROW =
      Pattern.compile("\\| ([RF]\\d[RF0-9, -]*) \\| [^|]+ \\| ([^|]*) \\|");
  private static final Pattern TEST = Pattern.compile("`(\\w+)#(\\w+)`");
  private static final Pattern EDGE = Pattern.compile("  ([A-Z_ &]+) --> ([A-Z_ &]+)");

  /** A section that lists requirements or faults, numbered from 1 to the last one. */
  record Numbered(String section, String letter, int last) {
    Pattern numbers() {
      return Pattern.compile(letter + "(\\d+)(?:-" + letter + "(\\d+))?");
    }

    @Override
    public String toString() {
      return section + " " + letter;
    }
  }

  /** A requirement and the tests that prove it. */
  record Requirement(Numbered among, int number, List<String> tests) {
    @Override
    public String toString() {
      return among.toString() + number;
    }
  }

  static List<Requirement> requirements() {
    return NUMBERED.stream().flatMap(among -> requirements(among).stream()).toList();
  }

  private static List<Requirement> requirements(Numbered among) {
    List<Requirement> all = new ArrayList<>();
    for (String line : REQUIREMENTS.section(among.section())) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        List<String> tests =
            TEST.matcher(row.group(2)).results().map(m -> m.group(1) + "#" + m.group(2)).toList();
        among
            .numbers()
            .matcher(row.group(1))
            .results()
            .flatMapToInt(m -> {
              int first = Integer.parseInt(m.group(1));
              return IntStream.rangeClosed(
                  first, m.group(2) == null ? first : Integer.parseInt(m.group(2)));
            })
            .forEach(number -> all.add(new Requirement(among, number, tests)));
      }
    }
    return all;
  }

  @Test
  void everyNumberIsThereOnce() {
    for (Numbered among : NUMBERED) {
      assertThat(requirements(among).stream().map(Requirement::number).sorted())
          .as(among.toString())
          .containsExactlyElementsOf(IntStream.rangeClosed(1, among.last()).boxed().toList());
    }
  }

  @ParameterizedTest
  @MethodSource("requirements")
  void everyRequirementIsShownByTestsThatExist(Requirement requirement) {
    assertThat(requirement.tests())
        .isNotEmpty()
        .allSatisfy(name -> assertThat(isTest(name)).isTrue());
  }

  @Test
  void aTestThatDoesNotExistIsNoticed() {
    assertThat(isTest("RequirementsTest#everyNumberIsThereOnce")).isTrue();
    assertThat(isTest("RequirementsTest#isTest")).isFalse();
    assertThat(isTest("NoTest#everyNumberIsThereOnce")).isFalse();
  }

  /** True if a name is a test of any module; not all of them are on the class path here. */
  static boolean isTest(String name) {
    String[] parts = name.split("#", 2);
    Pattern method =
        Pattern.compile(
            "@(?:Test|ParameterizedTest|TestFactory)\\b[^;{}]*(?:\\{[^;{}]*\\}[^;{}]*)*\\bvoid "
                + parts[1]
                + "\\(");
    try (Stream<Path> modules = Files.list(DocPage.checkout())) {
      return modules
          .map(module -> module.resolve("src/test/java"))
          .filter(Files::isDirectory)
          .flatMap(folder -> filesNamed(folder, parts[0] + ".java").stream())
          .anyMatch(file -> method.matcher(read(file)).find());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> filesNamed(Path folder, String name) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.endsWith(name)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void theDiagramShowsEveryStep() {
    Set<String> drawn = new HashSet<>();
    for (String line : SEQUENCES.lines()) {
      Matcher edge = EDGE.matcher(line);
      if (edge.matches()) {
        for (String from : edge.group(1).split(" & ", -1)) {
          for (String to : edge.group(2).split(" & ", -1)) {
            assertThat(drawn.add(from + " " + to)).as(from + " to " + to).isTrue();
          }
        }
      }
    }
    Set<String> allowed = new TreeSet<>();
    for (SequenceStatus from : SequenceStatus.values()) {
      Arrays.stream(SequenceStatus.values())
          .filter(from::mayBecome)
          .forEach(to -> allowed.add(from + " " + to));
    }
    assertThat(drawn).containsExactlyInAnyOrderElementsOf(allowed);
  }
}
