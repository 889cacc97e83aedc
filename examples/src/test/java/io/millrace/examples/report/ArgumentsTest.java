package io.millrace.examples.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArgumentsTest {

  @Test
  void hasDefaults() {
    assertThat(Arguments.of(List.of()))
        .isEqualTo(
            new Arguments.Report(
                Path.of("."),
                new OutputFolders(
                    Path.of("data").toAbsolutePath(), Path.of("reports").toAbsolutePath())));
  }

  @Test
  void takesARepositoryAndFolders() {
    assertThat(Arguments.of(List.of("--data", "/d", "repo", "--reports", "/r")))
        .isEqualTo(
            new Arguments.Report(Path.of("repo"), new OutputFolders(Path.of("/d"), Path.of("/r"))));
  }

  @Test
  void helps() {
    assertThat(Arguments.of(List.of("repo", "--help"))).isEqualTo(new Arguments.Help());
  }

  @Test
  void refusesWhatItDoesNotUnderstand() {
    assertThat(Arguments.of(List.of("--fast")))
        .isEqualTo(
            new Arguments.Invalid("Option '--fast' is unknown; --help shows all there are."));
    assertThat(Arguments.of(List.of("--data")))
        .isEqualTo(new Arguments.Invalid("--data names no folder; expected --data DIR."));
    assertThat(Arguments.of(List.of("a", "b")))
        .isEqualTo(
            new Arguments.Invalid(
                "Two repositories are named, 'a' and 'b'; expected one at a time."));
  }
}
