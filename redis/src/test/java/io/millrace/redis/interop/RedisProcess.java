package io.millrace.redis.interop;

import io.millrace.redis.Patience;
import io.millrace.redis.connect.RedisSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A Redis of one test class, which can be emptied, filled, stopped and killed. */
public final class RedisProcess implements AutoCloseable {

  private static final String VARIABLE = "MILLRACE_TEST_REDIS_SERVER";
  private static final int TRIES = 20;

  private final Path folder;
  private final int port;
  private final List<String> options;
  private Process process;

  private RedisProcess(Path folder, int port, List<String> options) {
    this.folder = folder;
    this.port = port;
    this.options = options;
    this.process = launch();
  }

  /**
   * Starts a server on a free port.
   *
   * @param options of redis-server, such as {@code --maxmemory 3mb}
   */
  public static RedisProcess start(String... options) {
    try {
      Path folder = Files.createTempDirectory("millrace-redis");
      for (int left = TRIES; ; left--) {
        try {
          return new RedisProcess(folder, freePort(), List.of(options));
        } catch (AssertionError e) {
          // Another process may have bound the port meanwhile.
          if (left == 0 || !String.valueOf(e.getMessage()).contains("Address already in use")) {
            throw e;
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts a sentinel, which stores what it learns in its file. */
  public static RedisProcess sentinel(Path config) {
    return start(config.toString(), "--sentinel");
  }

  /** Starts a server that writes each command to its append-only file before it answers. */
  public static RedisProcess durable() {
    return start("--appendonly", "yes", "--appendfsync", "always");
  }

  public int port() {
    return port;
  }

  public String uri() {
    return "redis://127.0.0.1:" + port;
  }

  /** Returns settings with timeouts long enough for a slow machine. */
  public RedisSettings settings() {
    return RedisSettings.of(uri()).connectTimeout(Patience.LIMIT).timeout(Patience.LIMIT);
  }

  /** Returns settings of a client that must notice when a server is silent. */
  public RedisSettings settings(Duration timeout) {
    return settings().connectTimeout(Duration.ofSeconds(20)).timeout(timeout);
  }

  /** Kills the server, like {@code kill -9}. */
  public void kill() {
    end(process.destroyForcibly());
  }

  /** Starts the server again, with the file that it has written, if it was durable. */
  public void restart() {
    kill();
    process = launch();
  }

  /** Starts an empty server on the same port. */
  public void replace() {
    kill();
    deleteFiles();
    process = launch();
  }

  /** Stops the process: it keeps its connections and does not answer. */
  public void pause() {
    signal("STOP");
  }

  /** Continues after a pause. */
  public void resume() {
    signal("CONT");
  }

  @Override
  public void close() {
    kill();
    deleteFiles();
    try {
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a port on which nothing listens now. */
  public static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      free.setReuseAddress(true);
      return free.getLocalPort();
    }
  }

  /** Returns the server program that script/test has found. */
  public static String program() {
    return Objects.requireNonNullElse(System.getenv(VARIABLE), "redis-server");
  }

  private Process launch() {
    List<String> command =
        new ArrayList<>(
            List.of(program(), "--port", "" + port, "--bind", "127.0.0.1", "--save", ""));
    command.addAll(isSentinel() ? 1 : command.size(), options);
    try {
      // A new file each time, so that the log of an earlier attempt is not read.
      Path log = Files.createTempFile(folder, "server", ".log");
      Process started =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      awaitPort(started, log);
      return started;
    } catch (IOException e) {
      throw new AssertionError(
          "redis-server does not start: put it on PATH, or name it in " + VARIABLE, e);
    }
  }

  /** True for a sentinel, whose file must come before all options. */
  private boolean isSentinel() {
    return options.contains("--sentinel");
  }

  private void awaitPort(Process started, Path log) throws IOException {
    long end = System.nanoTime() + Patience.LIMIT.toNanos();
    while (!isReady(started)) {
      if (!started.isAlive() || System.nanoTime() - end > 0) {
        started.destroyForcibly();
        throw new AssertionError("redis-server did not start: " + Files.readString(log));
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  /** True if the server answers, and is not another process that has bound its port. */
  private boolean isReady(Process started) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
      socket.setSoTimeout(1_000);
      byte[] questions = "PING\r\nINFO server\r\n".getBytes(StandardCharsets.US_ASCII);
      socket.getOutputStream().write(questions);
      socket.shutdownOutput(); // a sentinel does not know QUIT
      byte[] replies = socket.getInputStream().readAllBytes();
      String text = new String(replies, StandardCharsets.US_ASCII);
      return text.startsWith("+PONG") && text.contains("process_id:" + started.pid() + "\r\n");
    } catch (IOException e) {
      return false;
    }
  }

  private void signal(String name) {
    try {
      end(new ProcessBuilder("kill", "-" + name, "" + process.pid()).start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void end(Process process) {
    try {
      if (!process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("The process " + process.pid() + " does not end");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void deleteFiles() {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        if (!file.equals(folder)) {
          Files.delete(file);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
