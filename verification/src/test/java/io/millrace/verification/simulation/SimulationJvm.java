package io.millrace.verification.simulation;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A JVM that runs {@link Simulate}. Its virtual threads share one carrier, on which handing control
 * over is cheapest.
 */
final class SimulationJvm {

  /** What it said, and how it ended. */
  record Ended(int exitCode, String output) {
    boolean foundSomething() {
      return exitCode == 1 && output.contains("breaks a promise");
    }
  }

  private SimulationJvm() {}

  /** Runs seeds on the product as it is. */
  static Ended run(Object... args) {
    return run(List.of(), args);
  }

  /** Runs seeds with classes that come before the product's. */
  static Ended run(List<Path> classes, Object... args) {
    List<String> path = new ArrayList<>(classes.stream().map(Path::toString).toList());
    path.add(System.getProperty("java.class.path"));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx512m",
            "-XX:+UseSerialGC",
            "-Djdk.virtualThreadScheduler.parallelism=1",
            "-Djdk.virtualThreadScheduler.maxPoolSize=1",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
            "-cp",
            String.join(File.pathSeparator, path),
            Simulate.class.getName()));
    for (Object arg : args) {
      command.add(arg.toString());
    }
    return await(new ProcessBuilder(command).redirectErrorStream(true));
  }

  private static Ended await(ProcessBuilder builder) {
    try {
      Process process = builder.start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Ended(process.waitFor(), output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }
}
