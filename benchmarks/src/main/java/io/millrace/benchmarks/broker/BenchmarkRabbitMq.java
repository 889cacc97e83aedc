package io.millrace.benchmarks.broker;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A RabbitMQ broker with a folder and a port of its own, run by {@code script/rabbitmq}. */
public final class BenchmarkRabbitMq implements AutoCloseable {

  private static final long START_SECONDS = 90;
  private static final long END_SECONDS = 30;
  private static final long REST_MILLIS = 100;

  private final Path folder;
  private final int port;
  private final Process script;

  private BenchmarkRabbitMq(Path folder, int port, Process script) {
    this.folder = folder;
    this.port = port;
    this.script = script;
  }

  /** Starts a broker and returns when it accepts connections. */
  public static BenchmarkRabbitMq start() throws IOException, InterruptedException {
    String program = System.getenv("MILLRACE_TEST_RABBITMQ_SCRIPT");
    if (program == null) {
      throw new IllegalStateException(
          "MILLRACE_TEST_RABBITMQ_SCRIPT is not set; measure through script/benchmark, which sets it.");
    }
    Path folder = Files.createTempDirectory("millrace-broker-");
    int port = freePort();
    Path output = folder.resolve("output");
    Process script =
        new ProcessBuilder(program, folder.toString(), "" + port)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    BenchmarkRabbitMq benchmarkRabbitMq = new BenchmarkRabbitMq(folder, port, script);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!Files.readString(output).contains("RabbitMQ runs")) {
      if (!script.isAlive() || System.nanoTime() > end) {
        String said = Files.readString(output);
        benchmarkRabbitMq.close();
        throw new IOException("RabbitMQ does not start; it has said: " + said);
      }
      TimeUnit.MILLISECONDS.sleep(REST_MILLIS);
    }
    return benchmarkRabbitMq;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  public String uri() {
    return "amqp://guest:guest@127.0.0.1:" + port;
  }

  @Override
  public void close() throws IOException {
    script.destroy();
    try {
      script.waitFor(END_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
