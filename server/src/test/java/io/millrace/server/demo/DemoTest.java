package io.millrace.server.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.MillraceException;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.server.security.NewLogin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo's folder: made once, kept, and never left half done. */
final class DemoTest {

  private static final int DAYS = 1;

  @TempDir private Path folder;

  private Demo open() {
    return Demo.open(folder, folder.resolve("none"), EngineRuntime.system(), DAYS);
  }

  private List<String> prepare(boolean fresh) {
    List<String> said = new ArrayList<>();
    try (Demo demo = open()) {
      demo.prepare(fresh, said::add);
    }
    return said;
  }

  private Path file() {
    return folder.resolve("millrace.mv.db");
  }

  @Test
  void makesAHistoryAndKeepsIt() throws IOException {
    assertThat(prepare(false)).last().asString().matches("replayed 1 days .* \\d+ workflows.*");
    FileTime made = Files.getLastModifiedTime(file());

    assertThat(prepare(false)).singleElement().asString().startsWith("continuing");
    assertThat(Files.getLastModifiedTime(file())).isEqualTo(made);
  }

  @Test
  void throwsTheOldHistoryAwayWhenAsked() throws IOException {
    Files.writeString(file(), "an old history");

    assertThat(prepare(true)).last().asString().startsWith("replayed");
    try (Demo demo = open()) {
      NewLogin one = demo.login();
      NewLogin other = demo.login();

      assertThat(one.user()).isEqualTo("demo").isEqualTo(other.user());
      assertThat(one.password()).hasSizeGreaterThan(15).isNotEqualTo(other.password());
    }
  }

  @Test
  void beginsAnewWhenAProcessDiedBeforeTheHistoryWasComplete() throws IOException {
    Files.writeString(folder.resolve("unfinished.mv.db"), "the beginning of a database");

    assertThat(prepare(false)).last().asString().startsWith("replayed");
    assertThat(file()).exists();
    assertThat(folder.resolve("unfinished.mv.db")).doesNotExist();
  }

  @Test
  void isForOneProcessAtATime() {
    try (Demo first = open()) {
      assertThat(first.settings()).containsKey("database.url");
      assertThatThrownBy(this::open)
          .isInstanceOf(MillraceException.class)
          .hasMessageContaining("already runs");
    }
    open().close();
  }

  @Test
  void tellsAServerToStayOnThisMachine() {
    try (Demo demo = open()) {
      assertThat(demo.settings()).containsAllEntriesOf(Map.of("http.bind", "127.0.0.1"));
    }
  }
}
