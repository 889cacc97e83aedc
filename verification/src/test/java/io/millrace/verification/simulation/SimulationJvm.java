package io.millrace.verification.simulation;

import io.millrace.fixtures.JavaCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A JVM that runs {@link SimulationMain}. Its virtual threads share one carrier, which makes
 * handing over control cheapest.
 */
final class SimulationJvm {

  /** The output and the exit code. */
  record Result(int exitCode, String output) {
    boolean foundSomething() {
      return exitCode == 1 && !broken().isEmpty();
    }

    /** Returns the number of seeds that were run, without the last ones if it ended early. */
    long seeds() {
      return numbers("^(\\d+) seeds from ").sum();
    }

    /** Returns the seeds that broke a promise. */
    List<Long> broken() {
      return numbers("^Seed (\\d+) breaks a promise:$").boxed().toList();
    }

    /** Returns the number of occurrences of an event. */
    long count(String what) {
      return numbers("[{ ]" + Pattern.quote(what) + "=(\\d+)").sum();
    }

    private LongStream numbers(String pattern) {
      return Pattern.compile(pattern, Pattern.MULTILINE)
          .matcher(output)
          .results()
          .mapToLong(found -> Long.parseLong(found.group(1)));
    }
  }

  private SimulationJvm() {}

  /** Runs seeds on the unchanged product. */
  static Result run(Object... args) {
    return start(1, 1, 4, List.of(), args);
  }

  /** Runs {@code count} seeds with classes that precede the product's, until one breaks. */
  static Result run(List<Path> classes, long first, int step, int count) {
    return start(1, step, 1, classes, first, count);
  }

  /** Runs some hundreds of seeds until the given number of them have broken a promise. */
  static Result runUntil(int broken, List<Path> classes, Object... args) {
    return start(broken, 1, 1, classes, args);
  }

  /**
   * @param tier last tier of compilation; the last of all costs more than it gains in some hundreds
   *     of seeds
   */
  private static Result start(int broken, int step, int tier, List<Path> classes, Object... args) {
    JavaCommand java =
        new JavaCommand(
                "-Dmillrace.simulation.step=" + step,
                "-Dmillrace.simulation.broken=" + broken,
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=" + tier,
                "-Djdk.virtualThreadScheduler.parallelism=1",
                "-Djdk.virtualThreadScheduler.maxPoolSize=1",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=off")
            .before(classes);
    return await(
        java.builder(SimulationMain.class, Stream.of(args).map(Object::toString).toList()));
  }

  /**
   * Waits for the process; an interrupt, for example by a test's time limit, ends the process too.
   */
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
