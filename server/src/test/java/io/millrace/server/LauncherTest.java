package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the launcher in an installation like that of the zip, with the class path of this build.
 */
@Timeout(300)
@Tag("server")
class LauncherTest {

  @TempDir private Path home;

  @BeforeEach
  void install() throws IOException {
    Files.createDirectories(home.resolve("bin"));
    Path lib = Files.createDirectories(home.resolve("lib"));
    for (String program : List.of("bin/millrace", "bin/start", "bin/stop")) {
      Files.copy(Path.of("../packaging/zip").resolve(program), home.resolve(program));
      assertThat(home.resolve(program).toFile().setExecutable(true)).isTrue();
    }
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest
        .getMainAttributes()
        .put(
            Attributes.Name.CLASS_PATH,
            Stream.of(classPath.split(File.pathSeparator, -1))
                .map(entry -> Path.of(entry).toUri().toString())
                .collect(Collectors.joining(" ")));
    try (OutputStream jar = Files.newOutputStream(lib.resolve("all.jar"))) {
      new JarOutputStream(jar, manifest).close();
    }
  }

  private ProcessBuilder launcher(Path program, String... arguments) {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(home.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("MILLRACE_HTTP_PORT", "0");
    return builder.redirectErrorStream(true);
  }

  private static String read(Process process) throws IOException, InterruptedException {
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return output;
  }

  @Test
  void itIsFoundThroughALinkAndSaysItsVersion() throws Exception {
    Path link = Files.createSymbolicLink(home.resolve("link"), Path.of("bin/millrace"));
    Process process = launcher(link, "--version").start();
    assertThat(read(process)).startsWith("millrace ").contains("JDK ");
    assertThat(process.exitValue()).isZero();
  }

  @Test
  void theServerStartsAndEndsWithZeroAtSigterm() throws Exception {
    Process server = launcher(home.resolve("bin/millrace"), "server").start();
    List<String> lines = new ArrayList<>();
    try (BufferedReader output = server.inputReader(StandardCharsets.UTF_8)) {
      String line = output.readLine();
      while (line != null && !line.contains("ready after")) {
        lines.add(line);
        line = output.readLine();
      }
      assertThat(line).as("the banner after " + lines).isNotNull();
      assertThat(lines).anyMatch(text -> text.contains("http://127.0.0.1:"));
      assertThat(lines).anyMatch(text -> text.contains("log in as  admin with password "));
      // the handle only destroys the process; Process.destroy() would close its output as well
      server.toHandle().destroy();
      line = output.readLine();
      while (line != null) {
        lines.add(line);
        line = output.readLine();
      }
    } finally {
      server.destroy();
    }
    assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(server.exitValue()).as(String.join("\n", lines)).isZero();
    assertThat(lines).anyMatch(text -> text.contains("Stopped; 0 instances are left to recovery"));
    assertThat(home.resolve("data/millrace.mv.db")).exists();
  }

  private String run(int code, String program, String... arguments) throws Exception {
    return run(code, launcher(home.resolve(program), arguments));
  }

  private static String run(int code, ProcessBuilder launcher) throws Exception {
    Process process = launcher.start();
    String output = read(process);
    assertThat(process.exitValue()).as(output).isEqualTo(code);
    return output;
  }

  @Test
  void itRunsInTheBackgroundUntilItIsStopped() throws Exception {
    assertThat(run(0, "bin/stop")).startsWith("no server of ");
    Files.writeString(home.resolve("millrace.log"), "why it crashed");
    try {
      assertThat(run(0, "bin/start")).startsWith("Millrace ").contains("ready after");
      assertThat(run(1, "bin/start")).contains("runs already, as process ");
      assertThat(run(0, "bin/stop", "--pid").strip()).containsOnlyDigits();
    } finally {
      assertThat(run(0, "bin/stop")).isEqualToIgnoringNewLines("stopped");
    }
    assertThat(home.resolve("millrace.log"))
        .content()
        .contains("Stopped; 0 instances are left to recovery");
    assertThat(home.resolve("millrace.log.1")).content().isEqualTo("why it crashed");
    assertThat(List.of("millrace.log", "millrace.log.1"))
        .as("the log has a password")
        .allSatisfy(log -> assertThat(rights(log)).isEqualTo("rw-------"));
    assertThat(rights("data/millrace.mv.db")).endsWith("---");
    assertThat(home.resolve("millrace.pid")).doesNotExist();
    run(1, "bin/stop", "--pid");
  }

  private String rights(String file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve(file)));
  }

  private String runOf(String relativeHome, int code, String program, String... arguments)
      throws Exception {
    ProcessBuilder builder = launcher(home.resolve(program), arguments);
    builder.environment().put("MILLRACE_HOME", relativeHome);
    return run(code, builder);
  }

  @Test
  void aHomeMayBeRelativeAndItsServerIsNotStoppedByAnother() throws Exception {
    Files.createDirectory(home.resolve("other"));
    try {
      assertThat(runOf("other", 0, "bin/start")).contains("ready after");
      assertThat(home.resolve("other/data/millrace.mv.db")).exists();
      Files.copy(home.resolve("other/millrace.pid"), home.resolve("millrace.pid"));
      assertThat(run(0, "bin/stop")).startsWith("no server of ");
      assertThat(home.resolve("millrace.pid")).doesNotExist();
      assertThat(runOf("other", 0, "bin/stop", "--pid").strip()).containsOnlyDigits();
    } finally {
      assertThat(runOf("other", 0, "bin/stop")).isEqualToIgnoringNewLines("stopped");
    }
  }

  /** Starts a process that has the mark of this home's server, and writes its id into the file. */
  private Process likeAServer() throws IOException {
    Path file = home.toRealPath().resolve("millrace.pid");
    Process process =
        new ProcessBuilder("/bin/sh", "-c", "read x; :", "-Dio.millrace.pid=" + file, "Main")
            .start();
    Files.writeString(file, process.pid() + "\n");
    return process;
  }

  /** Changes the script as on systems without {@code /proc}. */
  private void withoutProc() throws IOException {
    Path stop = home.resolve("bin/stop");
    Files.writeString(stop, Files.readString(stop).replace("/proc/", "/no-proc/"));
  }

  @Test
  void whereProcessesAreNoFilesTheyAreLookedUpWithPs() throws Exception {
    withoutProc();
    Process like = likeAServer();
    try {
      assertThat(run(0, "bin/stop", "--pid").strip()).isEqualTo(String.valueOf(like.pid()));
      assertThat(run(0, "bin/stop")).isEqualToIgnoringNewLines("stopped");
      assertThat(like.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(home.resolve("millrace.pid")).doesNotExist();
    } finally {
      like.destroy();
    }
  }

  @Test
  void whatCannotBeSeenIsNotTakenForGone() throws Exception {
    withoutProc();
    Path ps = Files.createDirectory(home.resolve("tools")).resolve("ps");
    Files.writeString(ps, "#!/bin/sh\necho 'ps: unrecognized option: p' >&2\nexit 1\n");
    assertThat(ps.toFile().setExecutable(true)).isTrue();
    Process like = likeAServer();
    try {
      assertThat(runWith(ps.getParent(), 1, "bin/stop"))
          .startsWith("error: it cannot be found out whether the server of ")
          .contains("process " + like.pid() + " cannot be seen");
      runWith(ps.getParent(), 2, "bin/stop", "--pid");
      assertThat(runWith(ps.getParent(), 1, "bin/start")).contains("cannot be seen");
      assertThat(home.resolve("millrace.pid")).exists();
      assertThat(like.isAlive()).isTrue();
    } finally {
      like.destroy();
    }
    assertThat(like.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(runWith(ps.getParent(), 0, "bin/stop")).startsWith("no server of ");
  }

  private String runWith(Path tools, int code, String program, String... arguments)
      throws Exception {
    ProcessBuilder builder = launcher(home.resolve(program), arguments);
    builder.environment().merge("PATH", tools + ":", (path, first) -> first + path);
    return run(code, builder);
  }

  @Test
  void aFileWithoutANumberIsNotThrownAway() throws Exception {
    Files.writeString(home.resolve("millrace.pid"), "soon");
    assertThat(run(1, "bin/stop")).contains("millrace.pid has no number of a process");
    assertThat(home.resolve("millrace.pid")).exists();
  }

  @Test
  void aStartThatFailsSaysWhy() throws Exception {
    assertThat(run(1, "bin/start", "--no-such-option"))
        .contains("no-such-option")
        .contains("error: the server did not start");
  }

  @Test
  void aServerThatCannotStartEndsWithOneAndOneLine() throws Exception {
    ProcessBuilder builder = launcher(home.resolve("bin/millrace"), "server");
    builder.environment().put("MILLRACE_HTTP_BIND", "0.0.0.0");
    Process process = builder.start();
    assertThat(read(process).lines().filter(line -> !line.contains(" INFO ")))
        .singleElement()
        .asString()
        .startsWith("error: http.bind = 0.0.0.0 lets other machines in");
    assertThat(process.exitValue()).isEqualTo(1);
  }

  private static ProcessBuilder inAscii(ProcessBuilder builder) {
    builder.environment().keySet().removeIf(name -> name.startsWith("LC_") || name.equals("LANG"));
    builder.environment().put("LC_ALL", "C");
    return builder;
  }

  /** Returns the program without the launcher, as a user's script may run it. */
  private ProcessBuilder java(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
    command.addAll(List.of("-cp", home.resolve("lib/all.jar").toString(), Main.class.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectErrorStream(true);
  }

  @Test
  void argumentsArriveAsTheyAreTypedInALocaleOfAsciiToo() throws Exception {
    String typed = "Zoë-\uD83D\uDE00";
    String[] command = {"list", "", typed};
    for (ProcessBuilder builder :
        List.of(launcher(home.resolve("bin/millrace"), command), java(command))) {
      assertThat(run(2, inAscii(builder))).contains("'" + typed + "'").doesNotContain("\uFFFD");
    }
    ProcessBuilder german = launcher(home.resolve("bin/millrace"), command);
    german.environment().put("LC_ALL", "de_XX.ISO-8859-1");
    assertThat(run(2, german)).contains("'" + typed + "'");
  }

  /** A file has the characters that Windows replaces on its command line. */
  @Test
  void argumentsArriveFromAFileInUtf8() throws Exception {
    String typed = "Zoë-\uD83D\uDE00";
    Path file = Files.writeString(home.resolve("arguments.txt"), "list\r\n" + typed + "\r\n");
    for (ProcessBuilder builder :
        List.of(launcher(home.resolve("bin/millrace"), "@" + file), java("@" + file))) {
      assertThat(run(2, inAscii(builder))).contains("'" + typed + "'");
    }
  }

  @Test
  void aFileIsFoundByItsNameInALocaleOfAsciiToo() throws Exception {
    Files.writeString(home.resolve("Zoë.json"), "{");
    ProcessBuilder builder =
        launcher(home.resolve("bin/millrace"), "start", "order", "--input", "@Zoë.json");
    assertThat(run(2, inAscii(builder))).contains("--input is not JSON");
  }

  @Test
  void argumentsThatAreNoUtf8AreRefused() throws Exception {
    ProcessBuilder latin = java("start", "order", "--business-key");
    latin.command().addAll(0, List.of("sh", "-c", "exec \"$@\" \"$(printf 'Zo\\353')\"", "sh"));
    for (String locale : List.of("C", "C.UTF-8")) {
      latin.environment().put("LC_ALL", locale);
      assertThat(run(2, latin)).startsWith("error: Argument 4, 'Zo\uFFFD',").contains("UTF-8");
    }
  }
}
