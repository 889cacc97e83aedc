package io.millrace.verification.model;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tlc2.TLC;

/** A runner of the model checker TLC in a JVM of its own, in a folder below {@code target}. */
final class TlcRunner {

  private static final Pattern VIOLATED =
      Pattern.compile("Error: (?:Invariant|Action property) (\\w+) is violated");
  private static final Pattern STATES =
      Pattern.compile("(?m)^\\d+ states generated, (\\d+) distinct");

  /** The output of TLC. */
  record Result(String output) {

    boolean isPassed() {
      return output.contains("No error has been found.");
    }

    /**
     * Returns the violated property, or a word for its kind; TLC does not name temporal properties.
     */
    String violated() {
      Matcher named = VIOLATED.matcher(output);
      if (named.find()) {
        return named.group(1);
      }
      return output.contains("Temporal properties were violated.") ? "temporal" : "none";
    }

    long states() {
      Matcher count = STATES.matcher(output);
      return count.find() ? Long.parseLong(count.group(1)) : 0;
    }
  }

  private TlcRunner() {}

  /**
   * Checks the model.
   *
   * @param name name of the folder, for this check alone
   * @param config text of the configuration
   */
  static Result check(String name, String config, Duration limit) {
    try {
      Path folder = Files.createDirectories(Path.of("target", "model", name)).toAbsolutePath();
      for (Path module : LeaseModel.modules()) {
        Files.writeString(folder.resolve(module.getFileName()), Files.readString(module));
      }
      Files.writeString(folder.resolve("Check.cfg"), config);
      return run(folder, limit);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Result run(Path folder, Duration limit) throws IOException {
    Path output = folder.resolve("output.txt");
    Process process =
        new ProcessBuilder(command(folder))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AssertionError(
            "TLC did not end within " + limit + "; it said so far: " + Files.readString(output));
      }
      return new Result(Files.readString(output));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("Interrupted while TLC ran in " + folder, e);
    } finally {
      process.destroyForcibly();
    }
  }

  private static List<String> command(Path folder) {
    String jar = TLC.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:+UseParallelGC",
        "-XX:TieredStopAtLevel=" + (Boolean.getBoolean(LeaseModelTest.LARGE) ? 4 : 1),
        "-Xmx2g",
        "-Djava.io.tmpdir=" + folder,
        "-cp",
        jar,
        TLC.class.getName(),
        "-workers",
        "2",
        "-metadir",
        folder.resolve("states").toString(),
        "-config",
        "Check.cfg",
        "Properties.tla");
  }
}
