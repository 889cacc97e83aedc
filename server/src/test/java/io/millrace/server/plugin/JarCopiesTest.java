package io.millrace.server.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests the place of the copies of jars, and their deletion. */
class JarCopiesTest {

  @TempDir private Path folder;
  @TempDir private Path home;
  private Path jar;

  @BeforeEach
  void write() throws IOException {
    jar =
        JarCompiler.empty()
            .compiled("First", "public class First {}")
            .write(folder.resolve("a.jar"));
  }

  private JarCopy copy(JarCopies copies, Path... jars) throws InvalidPluginException {
    return copies.copy("test", folder, jars.length == 0 ? List.of(jar) : List.of(jars));
  }

  private Path ownFolder(JarCopies copies) throws InvalidPluginException {
    return copy(copies).files().getFirst().getParent().getParent();
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "elsewhere an open file cannot be deleted")
  void classesAreFoundAfterTheCopiesAreDeleted() throws Exception {
    Path second =
        JarCompiler.empty()
            .compiled("Second", "public class Second {}")
            .write(folder.resolve("b.jar"));
    try (JarCopies copies = JarCopies.below(home)) {
      JarCopy copy = copy(copies, jar, second);
      assertThat(copy.isWhole()).isTrue();
      for (Path file : copy.files()) {
        Files.delete(file);
      }
      assertThat(copy.isWhole()).isFalse();
      assertThat(Class.forName("Second", true, copy.classes()).getClassLoader())
          .isSameAs(copy.classes());
      assertThat(Class.forName("First", true, copy.classes())).isNotNull();
      ProcessFolder.delete(copy.files().getFirst().getParent().getParent());
      assertThat(copy(copies).isWhole()).as("the next one has a place again").isTrue();
    }
  }

  @Test
  void copiesAreInTheDataElseInTheHomeElseWithTheTemporaryFiles() throws Exception {
    try (JarCopies copies = JarCopies.below(home)) {
      assertThat(home).as("until there is something to copy").isEmptyDirectory();
      assertThat(ownFolder(copies).getParent()).isEqualTo(home.toRealPath());
      assertThat(ownFolder(copies).getFileName().toString())
          .startsWith(ProcessFolder.PREFIX + ProcessHandle.current().pid() + "-");
    }
    assertThat(home).isEmptyDirectory();
    Path data = Files.createDirectory(home.resolve("data"));
    try (JarCopies copies = JarCopies.below(home)) {
      assertThat(ownFolder(copies).getParent()).isEqualTo(data.toRealPath());
    }
    assertThat(data).isEmptyDirectory();
    Path gone;
    try (JarCopies copies = JarCopies.below(home.resolve("none"))) {
      gone = ownFolder(copies);
      assertThat(gone.getParent())
          .isEqualTo(Path.of(System.getProperty("java.io.tmpdir")).toRealPath());
    }
    assertThat(gone).doesNotExist();
  }

  @Test
  void whatCannotBeCopiedSaysSo() {
    try (JarCopies copies = new JarCopies(List.of(home.resolve("none")))) {
      assertThatThrownBy(() -> copy(copies))
          .isInstanceOf(InvalidPluginException.class)
          .hasMessageStartingWith("It cannot be copied")
          .hasMessageContaining("none");
    }
    try (JarCopies copies = JarCopies.below(home)) {
      assertThatThrownBy(() -> copy(copies, folder.resolve("gone.jar")))
          .isInstanceOf(InvalidPluginException.class)
          .hasMessage("It cannot be read: it is gone.");
    }
  }

  /** A program that copies a jar, prints the place, and waits. */
  public static final class Other {

    private Other() {}

    public static void main(String[] args) throws Exception {
      try (JarCopies copies = JarCopies.below(Path.of(args[0]))) {
        Path jar = Path.of(args[1]);
        JarCopy copy = copies.copy("test", jar, List.of(jar));
        System.out.println(copy.files().getFirst());
        System.out.flush();
        System.in.read();
      }
    }
  }

  @Test
  @Tag("kills")
  void whatAKilledProcessLeftIsDeletedAndWhatALivingOneUsesIsNot() throws Exception {
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                Other.class.getName(),
                home.toString(),
                jar.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader said = other.inputReader();
        JarCopies ours = JarCopies.below(home)) {
      String start = home.toRealPath().toString();
      Path theirCopy =
          Path.of(said.lines().filter(line -> line.startsWith(start)).findFirst().orElseThrow());
      Path ourCopy = copy(ours).files().getFirst();
      JarCopies.below(home).close();
      assertThat(theirCopy).as("its process lives").exists();
      assertThat(ourCopy).exists();

      other.destroyForcibly().waitFor();
      JarCopies.below(home).close();
      assertThat(theirCopy.getParent().getParent()).as("its process was killed").doesNotExist();
      assertThat(ourCopy).exists();
    } finally {
      other.destroyForcibly().waitFor();
    }
  }

  @Test
  void whatOnlyLooksLikeALeftoverStays() throws IOException {
    Path beginning = Files.createDirectory(home.resolve(ProcessFolder.PREFIX + "1-begins"));
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    Files.createFile(elsewhere.resolve(ProcessFolder.LOCK));
    Path link = Files.createSymbolicLink(home.resolve(ProcessFolder.PREFIX + "1-link"), elsewhere);
    Path dead = Files.createDirectory(home.resolve(ProcessFolder.PREFIX + "1-dead"));
    Files.createFile(dead.resolve(ProcessFolder.LOCK));
    Files.createFile(Files.createDirectory(dead.resolve("0")).resolve("0-a.jar"));
    JarCopies.below(home).close();
    assertThat(dead).doesNotExist();
    assertThat(beginning).as("not yet locked").exists();
    assertThat(link).exists();
    assertThat(elsewhere.resolve(ProcessFolder.LOCK)).exists();
  }
}
