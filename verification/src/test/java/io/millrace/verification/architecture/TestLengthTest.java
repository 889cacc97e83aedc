package io.millrace.verification.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What script/prove runs is what script/test leaves out. */
class TestLengthTest {

  private static final Path TESTS = Path.of("src/test/java/io/millrace/verification");
  private static final Pattern ASKS = Pattern.compile("\\bTestLength\\.(?:of|isLong)\\(");
  private static final String TAG = "@Tag(TestLength.LONG)";

  private static List<String> texts() throws IOException {
    try (Stream<Path> files = Files.walk(TESTS)) {
      return files
          .filter(file -> file.toString().endsWith("Test.java"))
          .filter(file -> !file.endsWith("TestLengthTest.java"))
          .map(TestLengthTest::read)
          .toList();
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
  void eachTestThatAsksHowMuchItIsToDoHasTheTag() throws IOException {
    assertThat(texts())
        .filteredOn(text -> ASKS.matcher(text).find())
        .hasSizeGreaterThan(5)
        .allMatch(text -> text.contains(TAG));
  }

  @Test
  void theTagIsOnNoOther() throws IOException {
    assertThat(texts())
        .filteredOn(text -> text.contains(TAG))
        .allMatch(text -> ASKS.matcher(text).find());
  }
}
