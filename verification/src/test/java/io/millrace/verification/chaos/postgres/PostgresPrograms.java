package io.millrace.verification.chaos.postgres;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The programs of the PostgreSQL server. They refuse to run as root, so root runs them as user
 * {@code postgres}.
 *
 * @param folder folder of the programs
 */
public record PostgresPrograms(Path folder) {

  private static final String VARIABLE = "MILLRACE_TEST_POSTGRES_BIN";
  private static final long LIMIT_SECONDS = 120;

  /**
   * Returns the programs named by the environment, or else those of the newest installed version.
   */
  public static PostgresPrograms find() throws IOException {
    String named = System.getenv(VARIABLE);
    List<Path> candidates = new ArrayList<>();
    if (named != null && !named.isBlank()) {
      candidates.add(Path.of(named));
    } else {
      candidates.addAll(installed(Path.of("/usr/lib/postgresql"), "bin"));
      candidates.addAll(installed(Path.of("/usr"), "bin"));
      Stream.of(System.getenv("PATH").split(File.pathSeparator))
          .map(Path::of)
          .forEach(candidates::add);
    }
    for (Path folder : candidates) {
      if (Stream.of("initdb", "pg_ctl", "postgres")
          .allMatch(name -> Files.isExecutable(folder.resolve(name)))) {
        return new PostgresPrograms(folder);
      }
    }
    throw new IllegalStateException(
        "The programs of the PostgreSQL server (initdb, pg_ctl, postgres) were not found in "
            + candidates
            + "; install the server or name their folder in "
            + VARIABLE
            + ".");
  }

  private static List<Path> installed(Path above, String below) throws IOException {
    if (!Files.isDirectory(above)) {
      return List.of();
    }
    try (Stream<Path> folders = Files.list(above)) {
      return folders
          .filter(f -> f.getFileName().toString().matches("\\d+|pgsql-\\d+"))
          .sorted((a, b) -> Integer.compare(number(b), number(a)))
          .map(f -> f.resolve(below))
          .toList();
    }
  }

  private static int number(Path folder) {
    return Integer.parseInt(folder.getFileName().toString().replace("pgsql-", ""));
  }

  static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  /** Runs a program of the server; throws an exception if it fails. */
  void run(String program, String... args) throws IOException, InterruptedException {
    int code = tryToRun(program, args);
    if (code != 0) {
      throw new IOException(program + " " + List.of(args) + " ended with " + code);
    }
  }

  /** Runs a program of the server and returns its exit code. */
  int tryToRun(String program, String... args) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    if (isRoot()) {
      command.addAll(List.of("runuser", "-u", "postgres", "--"));
    }
    command.add(folder.resolve(program).toString());
    command.addAll(List.of(args));
    return exitCode(command);
  }

  /** Runs a command of the system; throws an exception if it fails. */
  static void system(String... command) throws IOException, InterruptedException {
    int code = exitCode(List.of(command));
    if (code != 0) {
      throw new IOException(List.of(command) + " ended with " + code);
    }
  }

  private static int exitCode(List<String> command) throws IOException, InterruptedException {
    // The server outlives this process and would keep a pipe for its output open.
    Process process =
        new ProcessBuilder(command)
            .directory(new File("/"))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException(command + " did not end within " + LIMIT_SECONDS + " s");
    }
    return process.exitValue();
  }

  static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
  }
}
