package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The launcher in an installation like that of the zip, made of this build's class path. */
@Timeout(120)
class LauncherTest {

  @TempDir private Path home;

  @BeforeEach
  void install() throws IOException {
    Files.createDirectories(home.resolve("bin"));
    Path lib = Files.createDirectories(home.resolve("lib"));
    Files.copy(Path.of("../packaging/zip/bin/millrace"), home.resolve("bin/millrace"));
    assertThat(home.resolve("bin/millrace").toFile().setExecutable(true)).isTrue();
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
      // of the process only: that of Process would close its output as well
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
}
