package io.millrace.server.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testing.SettableClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Classes from jars that come, change and go. */
class TaskJarsTest {

  @TempDir private Path folder;
  private TaskJars jars;

  @BeforeEach
  void open() {
    jars = new TaskJars(folder);
  }

  @AfterEach
  void close() {
    jars.close();
  }

  private void write(String jar, String name, String answer) throws IOException {
    Jars.empty()
        .compiled(
            name,
            "public class %s { public String toString() { return new Helper() + \"\"; } }"
                    .formatted(name)
                + "class Helper { public String toString() { return \"%s\"; } }".formatted(answer))
        .write(folder.resolve(jar));
  }

  private static String say(Class<?> type) throws ReflectiveOperationException {
    return type.getConstructor().newInstance().toString();
  }

  @Test
  void aFolderThatIsNotThereHasNoClasses() {
    try (TaskJars none = new TaskJars(folder.resolve("none"))) {
      assertThat(none.find("Late")).isNull();
      assertThat(none.problems()).isEmpty();
    }
  }

  @Test
  void aJarIsUsedWhenItComesAndNotWhenItIsGone() throws Exception {
    assertThat(jars.find("Late")).isNull();
    write("late.jar", "Late", "here");
    assertThat(say(jars.find("Late"))).isEqualTo("here");
    assertThat(jars.find("Late"))
        .as("the same class as long as nothing changes")
        .isSameAs(jars.find("Late"));
    Files.delete(folder.resolve("late.jar"));
    assertThat(jars.find("Late")).isNull();
  }

  @Test
  void whatRunsKeepsItsClassesWhenTheJarIsReplacedUnderIt() throws Exception {
    write("a.jar", "Worker", "old");
    Class<?> old = jars.find("Worker");
    write("a.jar", "Worker", "brand new");
    assertThat(say(jars.find("Worker"))).isEqualTo("brand new");
    assertThat(say(old)).as("a class that is loaded only now").isEqualTo("old");
  }

  @Test
  void aBrokenJarIsNamedWithAdviceAndTheOthersAreUsed() throws Exception {
    write("good.jar", "Good", "good");
    Files.writeString(folder.resolve("bad.jar"), "no jar");
    assertThat(say(jars.find("Good"))).isEqualTo("good");
    assertThat(jars.problems())
        .singleElement()
        .satisfies(problem -> {
          assertThat(problem.name()).isEqualTo("bad.jar");
          assertThat(problem.problem()).startsWith("It cannot be read: ");
          assertThat(problem.advice()).contains("copy it again", "when it has changed");
        });
    write("bad.jar", "Bad", "mended");
    assertThat(say(jars.find("Bad"))).isEqualTo("mended");
    assertThat(jars.problems()).isEmpty();
  }

  @Test
  void aJarThatCouldNotBeReadIsReadAgainThoughItLooksTheSame() throws Exception {
    SettableClock clock = SettableClock.at(Instant.EPOCH);
    Path jar = folder.resolve("late.jar");
    write("late.jar", "Late", "here");
    byte[] good = Files.readAllBytes(jar);
    FileTime time = Files.getLastModifiedTime(jar);
    Files.write(jar, new byte[good.length]);
    Files.setLastModifiedTime(jar, time);
    try (TaskJars looking = new TaskJars(folder, clock)) {
      assertThat(looking.find("Late")).isNull();
      Files.write(jar, good);
      Files.setLastModifiedTime(jar, time);
      clock.advance(Duration.ofSeconds(9));
      assertThat(looking.problems()).hasSize(1);
      clock.advance(Duration.ofSeconds(1));
      assertThat(say(looking.find("Late"))).isEqualTo("here");
      assertThat(looking.problems()).isEmpty();
      Class<?> found = looking.find("Late");
      clock.advance(Duration.ofSeconds(11));
      assertThat(looking.find("Late")).as("read once, now that it can be").isSameAs(found);
    }
  }

  @Test
  void aFolderOfJarsIsOne() throws Exception {
    Path together = Files.createDirectory(folder.resolve("together"));
    Jars.empty()
        .compiled(
            "Needy",
            "public class Needy { public String toString() { return Dep.NAME + 1; } }"
                + "class Dep { static String NAME = \"dep\"; }",
            "Dep.class")
        .write(together.resolve("needy.jar"));
    Jars.empty()
        .compiled("Dep", "class Dep { static String NAME = \"beside it \"; }")
        .write(together.resolve("dep.jar"));
    assertThat(say(jars.find("Needy"))).isEqualTo("beside it 1");
  }

  @Test
  void classesOfTheServerAreNotThoseOfAJar() throws Exception {
    write("a.jar", "Worker", "a");
    assertThat(jars.find("java.lang.String")).isNull();
    assertThat(jars.find(TaskJars.class.getName())).isNull();
    assertThat(jars.find("no name of a class")).isNull();
  }
}
