package io.millrace.benchmarks.process;

import io.millrace.benchmarks.peer.PeerKind;
import io.millrace.benchmarks.postgres.BenchmarkDatabase;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A JVM that runs a role, seen from the process that started it. Not thread-safe. */
public final class RoleProcess implements AutoCloseable {

  /** Prefix of lines meant for the starting process; all other lines are log output. */
  static final String MARK = "> ";

  private static final String EXITED = "(exited)";
  private static final int LOG_LINES = 60;

  private final String title;
  private final Process process;
  private final Duration limit;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final Map<String, Double> figures = new TreeMap<>();
  private final List<String> log = new ArrayList<>();

  private RoleProcess(String title, Process process, Duration limit) {
    this.title = title;
    this.process = process;
    this.limit = limit;
    Thread.ofVirtual().start(this::read);
  }

  /**
   * Starts a JVM with a role.
   *
   * @param limit upper limit of the time between two awaited lines
   */
  public static RoleProcess start(
      Class<? extends ProcessRole> part,
      PeerKind peer,
      BenchmarkDatabase database,
      Map<String, ?> settings,
      Duration limit)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx1g",
            "-XX:+ExitOnOutOfMemoryError",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
            "-cp",
            System.getProperty("java.class.path"),
            RoleMain.class.getName(),
            part.getName(),
            peer.name(),
            database.host(),
            "" + database.port(),
            database.name(),
            database.user(),
            "" + database.serverPid()));
    settings.forEach((name, value) -> command.addAll(List.of(name, "" + value)));
    return start(part.getSimpleName() + " of " + peer.title(), command, limit);
  }

  /** Starts a program other than Java that writes the same lines. */
  public static RoleProcess start(String title, List<String> command, Duration limit)
      throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return new RoleProcess(title, process, limit);
  }

  /** Waits for a line and skips all lines before it. */
  public void await(String expected) throws IOException, InterruptedException {
    while (true) {
      String line = lines.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
      if (line == null || line.equals(EXITED)) {
        throw new IOException(
            "%s %s before it said '%s'; its last lines:%n%s"
                .formatted(title, line == null ? "took too long" : "ended", expected, log()));
      }
      if (line.startsWith("figure ")) {
        String[] words = line.split(" ", 3);
        figures.put(words[1], Double.valueOf(words[2]));
      }
      if (line.equals(expected)) {
        return;
      }
    }
  }

  /** Sends a line on which {@link RoleContext#await} waits. */
  public void send(String line) throws IOException {
    process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
  }

  /** Waits for the end of the role and returns all figures that it reported. */
  public Map<String, Double> finish() throws IOException, InterruptedException {
    await("end");
    return figures;
  }

  /** Kills the process, like kill -9. */
  public void kill() {
    process.destroyForcibly().onExit().join();
  }

  private String log() {
    synchronized (log) {
      return String.join(System.lineSeparator(), log);
    }
  }

  private void read() {
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.startsWith(MARK)) {
          lines.add(line.substring(MARK.length()));
        } else {
          note(line);
        }
      }
    } catch (IOException e) {
      note("its output ended: " + new UncheckedIOException(e));
    }
    lines.add(EXITED);
  }

  private void note(String line) {
    synchronized (log) {
      log.add(line);
      if (log.size() > LOG_LINES) {
        log.removeFirst();
      }
    }
  }

  @Override
  public void close() {
    kill();
  }
}
