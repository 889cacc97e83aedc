package io.millrace.verification.process;

import io.millrace.verification.support.JavaCommand;
import io.millrace.verification.support.Patience;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A JVM that runs a main class of these tests, and for whose output a test waits. */
public final class ChildJvm implements AutoCloseable {

  private final Process process;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final List<String> seen = new ArrayList<>();

  private ChildJvm(Process process) {
    this.process = process;
    Thread.ofVirtual().start(this::read);
  }

  public static ChildJvm start(Class<?> main, String... args) throws IOException {
    return startWith("-Xmx256m", main, args);
  }

  /** Starts a JVM with another heap size, for example {@code -Xmx128m}. */
  static ChildJvm startWith(String heap, Class<?> main, String... args) throws IOException {
    return new ChildJvm(
        new JavaCommand(heap, "-XX:+ExitOnOutOfMemoryError", "-XX:TieredStopAtLevel=1")
            .builder(main, List.of(args))
            .start());
  }

  /** Waits until {@code times} lines match, and returns them. */
  public List<String> await(int times, Predicate<String> condition) throws InterruptedException {
    while (seen.stream().filter(condition).count() < times) {
      String line = lines.poll(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
      if (line == null) {
        throw new AssertionError(
            "Process " + process.pid() + " said nothing for long; so far: " + seen);
      }
      seen.add(line);
    }
    return seen.stream().filter(condition).toList();
  }

  public List<String> await(int times, String prefix) throws InterruptedException {
    return await(times, line -> line.startsWith(prefix));
  }

  /** Returns all lines printed so far. */
  public List<String> seen() {
    lines.drainTo(seen);
    return seen;
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Sends SIGSTOP. */
  public void freeze() throws IOException, InterruptedException {
    signal("-STOP");
  }

  /** Sends SIGCONT. */
  public void thaw() throws IOException, InterruptedException {
    signal("-CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    int code = new ProcessBuilder("kill", name, "" + process.pid()).start().waitFor();
    if (code != 0) {
      throw new IOException("kill " + name + " " + process.pid() + " ended with " + code);
    }
  }

  /** Writes a line to its standard input. */
  public void tell(String line) throws IOException {
    BufferedWriter input = process.outputWriter(StandardCharsets.UTF_8);
    input.write(line);
    input.newLine();
    input.flush();
  }

  /** Kills the process, like kill -9. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Sends SIGTERM and returns the exit code. */
  public int terminate() throws InterruptedException {
    process.destroy();
    return exitCode();
  }

  /** Waits for the end of the process and returns its exit code. */
  public int exitCode() throws InterruptedException {
    if (!process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("Process " + process.pid() + " does not end");
    }
    return process.exitValue();
  }

  private void read() {
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.add(line);
      }
    } catch (IOException e) {
      lines.add("output ended: " + e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
