package io.millrace.verification.simulation;

import io.millrace.verification.support.JavaCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A JVM that runs {@link SimulationMain}. Its virtual threads share one carrier, on which handing
 * control over is cheapest.
 */
final class SimulationJvm {

  /** What it said, and how it ended. */
  record Result(int exitCode, String output) {
    boolean foundSomething() {
      return exitCode == 1 && output.contains("breaks a promise");
    }

    /** Returns the number of seeds that were run before the time limit. */
    long seeds() {
      return number("^(\\d+) seeds from ");
    }

    /** How often something has happened. */
    long count(String what) {
      return number("[{ ]" + Pattern.quote(what) + "=(\\d+)");
    }

    private long number(String pattern) {
      Matcher found = Pattern.compile(pattern).matcher(output);
      return found.find() ? Long.parseLong(found.group(1)) : 0;
    }
  }

  private SimulationJvm() {}

  /** Runs seeds on the product as it is. */
  static Result run(Object... args) {
    return run(List.of(), args);
  }

  /** Runs seeds with classes that come before the product's, which is soon over. */
  static Result run(List<Path> classes, Object... args) {
    JavaCommand java =
        new JavaCommand(
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=" + (classes.isEmpty() ? 4 : 1),
                "-Djdk.virtualThreadScheduler.parallelism=1",
                "-Djdk.virtualThreadScheduler.maxPoolSize=1",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=off")
            .before(classes);
    return await(
        java.builder(SimulationMain.class, Stream.of(args).map(Object::toString).toList()));
  }

  /** Can be interrupted, as by a test's time limit; then the other process is ended too. */
  private static Result await(ProcessBuilder builder) {
    Process process = start(builder);
    Thread killer = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(killer);
    try {
      FutureTask<byte[]> output = new FutureTask<>(process.getInputStream()::readAllBytes);
      Thread.ofVirtual().start(output);
      return new Result(process.waitFor(), new String(output.get(), StandardCharsets.UTF_8));
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError("The simulation did not come to an end", e);
    } finally {
      process.destroyForcibly();
      Runtime.getRuntime().removeShutdownHook(killer);
    }
  }

  private static Process start(ProcessBuilder builder) {
    try {
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
