package io.millrace.verification.chaos.rabbitmq;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A broker with a folder and a port of its own, started by {@code script/rabbitmq}. */
public final class RabbitServer implements AutoCloseable {

  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final long END_SECONDS = 30;
  private static final long REST_MILLIS = 50;

  private final Path folder;
  private final int port;
  private @Nullable Process script;

  private RabbitServer(Path folder, int port) {
    this.folder = folder;
    this.port = port;
  }

  /** Returns a broker in an empty folder, which is not started. */
  public static RabbitServer in(Path folder) throws IOException {
    return new RabbitServer(folder, freePort());
  }

  /** Returns a port on which no process listens now. */
  public static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  public int port() {
    return port;
  }

  public String uri() {
    return uri(port);
  }

  /** Returns the URI of the broker at a port, its own or a proxy's. */
  public static String uri(int port) {
    return "amqp://guest:guest@127.0.0.1:" + port;
  }

  /** Writes the configuration file, which applies from the next start. */
  public void configure(List<String> lines) throws IOException {
    Files.write(folder.resolve("rabbitmq.conf"), lines);
  }

  /** Starts the broker on its existing data; returns when it accepts connections. */
  public void start() throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    Files.deleteIfExists(output);
    script =
        new ProcessBuilder(
                checkout().resolve("script/rabbitmq").toString(), folder.toString(), "" + port)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    long end = System.nanoTime() + START_LIMIT.toNanos();
    while (!text(output).contains("RabbitMQ runs")) {
      if (!script.isAlive() || System.nanoTime() > end) {
        close();
        throw new IOException(
            "RabbitMQ in " + folder + " does not start; it has said: " + text(output));
      }
      TimeUnit.MILLISECONDS.sleep(REST_MILLIS);
    }
  }

  /**
   * Returns when a quorum queue is on disk, which takes the broker about a second. A broker that is
   * killed earlier knows only the queue's name, and the queue accepts and delivers nothing.
   */
  public void awaitQueueOnDisk(String queue) throws IOException, InterruptedException {
    String node = "millrace-" + port + "@localhost";
    Path names =
        folder.resolve("data").resolve(node).resolve("quorum").resolve(node + "/names.dets");
    long end = System.nanoTime() + START_LIMIT.toNanos();
    // The name is followed by the type of the next value, a binary.
    while (!Files.readString(names, StandardCharsets.ISO_8859_1).contains("_" + queue + "m")) {
      if (System.nanoTime() > end) {
        throw new IOException("The queue '" + queue + "' does not come into " + names);
      }
      TimeUnit.MILLISECONDS.sleep(REST_MILLIS);
    }
  }

  /** Kills the broker, like kill -9; returns when it has ended. */
  public void kill() throws IOException, InterruptedException {
    if (script == null) {
      throw new IllegalStateException("RabbitMQ was not started.");
    }
    long pid = Long.parseLong(text(folder.resolve("pid")).strip());
    ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    if (!script.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
      throw new IOException("RabbitMQ in " + folder + " does not end.");
    }
  }

  /** Starts the broker if it was killed. */
  public void restart() throws IOException, InterruptedException {
    if (script == null || !script.isAlive()) {
      start();
    }
  }

  /** Deletes all data of a killed broker. */
  public void wipe() throws IOException {
    try (Stream<Path> data = Files.walk(folder.resolve("data"))) {
      for (Path path : data.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  private static Path checkout() {
    for (Path top = Path.of("").toAbsolutePath(); top != null; top = top.getParent()) {
      if (Files.exists(top.resolve("script/rabbitmq"))) {
        return top;
      }
    }
    throw new IllegalStateException("The tests do not run inside the checkout");
  }

  private static String text(Path file) throws IOException {
    return Files.exists(file) ? Files.readString(file, StandardCharsets.UTF_8) : "";
  }

  @Override
  public void close() {
    if (script == null) {
      return;
    }
    script.destroy();
    try {
      if (!script.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("script/rabbitmq does not end; its folder is " + folder);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
