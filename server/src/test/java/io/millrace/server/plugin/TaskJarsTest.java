package io.millrace.server.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.millrace.testing.SettableClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Tests classes from jars that are added, changed and removed. */
@Tag("server")
class TaskJarsTest {

  @TempDir private Path folder;
  @TempDir private Path home;
  private JarCopies copies;
  private TaskJars jars;

  @BeforeEach
  void open() {
    copies = JarCopies.below(home);
    jars = new TaskJars(folder, copies, List.of());
  }

  @AfterEach
  void close() {
    jars.close();
    copies.close();
    assertThat(home).as("all copies are gone").isEmptyDirectory();
  }

  private void write(String jar, String name, String answer) throws IOException {
    JarCompiler.empty()
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
    try (TaskJars none = new TaskJars(folder.resolve("none"), copies, List.of())) {
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
    try (TaskJars looking = new TaskJars(folder, copies, List.of(), clock)) {
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
    JarCompiler.empty()
        .compiled(
            "Needy",
            "public class Needy { public String toString() { return Dep.NAME + 1; } }"
                + "class Dep { static String NAME = \"dep\"; }",
            "Dep.class")
        .write(together.resolve("needy.jar"));
    JarCompiler.empty()
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

  /** Returns the folders with the copies of jars, one for each. */
  private List<Path> copied() throws IOException {
    try (Stream<Path> all = Files.walk(home)) {
      return all.filter(file -> file.toString().endsWith(".jar")).map(Path::getParent).toList();
    }
  }

  private Path copyOf(String answer) throws Exception {
    List<Path> before = copied();
    write("a.jar", "Worker", answer);
    assertThat(say(jars.find("Worker"))).isEqualTo(answer);
    return copied().stream().filter(one -> !before.contains(one)).findFirst().orElseThrow();
  }

  /** Collects garbage until {@code gone} is deleted; the time limit of the test bounds it. */
  private static void collectUntilGone(Path gone) {
    while (Files.exists(gone)) {
      System.gc();
      Thread.onSpinWait();
    }
  }

  @Test
  @Timeout(300)
  void aCopyGoesWhenNothingRunsInItsClassesAnyMore() throws Exception {
    Path first = copyOf("one");
    Class<?>[] running = {jars.find("Worker")};
    Path second = copyOf("number two");
    Path third = copyOf("the third of them");
    collectUntilGone(second);
    assertThat(first).as("something runs in it").exists();
    assertThat(say(running[0])).isEqualTo("one");
    assertThat(third).as("the newest").exists();
    running[0] = null;
    collectUntilGone(first);
    assertThat(third).as("the newest").exists();
  }

  @Test
  void aJarIsCopiedAgainWhenItsCopyWasDeleted() throws Exception {
    Path first = copyOf("same");
    Class<?> old = jars.find("Worker");
    Files.delete(first.resolve("0-a.jar"));
    assertThat(jars.find("Worker")).isNotSameAs(old);
    assertThat(copied()).hasSize(1).doesNotContain(first);
    assertThat(say(old)).as("its files are open").isEqualTo("same");
  }

  @Test
  void whoAsksAfterTheEndFindsNothingAndOpensNothing() throws Exception {
    write("a.jar", "Worker", "a");
    assertThat(jars.find("Worker")).isNotNull();
    jars.close();
    assertThat(jars.find("Worker")).isNull();
    assertThat(copied()).isEmpty();
  }

  @Test
  void aFolderThatCannotBeReadIsAProblemUntilItCan() throws Exception {
    Path place = folder.resolve("later");
    Files.writeString(place, "no folder");
    try (TaskJars later = new TaskJars(place, copies, List.of())) {
      assertThat(later.find("Late")).isNull();
      assertThat(later.problems())
          .singleElement()
          .satisfies(problem -> assertThat(problem.problem()).contains("cannot be read"));
      Files.delete(place);
      assertThat(later.problems()).isEmpty();
    }
  }

  @Test
  void theLogTellsOfABrokenJarOnce() throws Exception {
    Files.writeString(folder.resolve("bad.jar"), "no jar");
    Logger log = (Logger) LoggerFactory.getLogger("io.millrace.server.plugin");
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    log.addAppender(lines);
    try (Plugins plugins = Plugins.load(folder, new JdbcDataSource(), copies);
        TaskJars looking = new TaskJars(folder, copies, plugins.problems())) {
      assertThat(looking.problems()).hasSize(1);
      assertThat(looking.problems()).hasSize(1);
      assertThat(lines.list).as("once").hasSize(1);
      write("bad.jar", "Bad", "mended");
      assertThat(looking.problems()).isEmpty();
      Files.writeString(folder.resolve("bad.jar"), "no jar");
      assertThat(looking.problems()).hasSize(1);
      assertThat(lines.list).as("again, since it was corrected").hasSize(2);
      assertThat(lines.list).extracting(ILoggingEvent::getLevel).containsOnly(Level.WARN);
    } finally {
      log.detachAppender(lines);
    }
  }
}
