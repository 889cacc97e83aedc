package io.millrace.benchmarks.broker;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A private Redis server on a port of its own, without persistence. */
public final class RedisServer implements AutoCloseable {

  private static final long START_SECONDS = 20;
  private static final long REST_MILLIS = 20;

  private final Path folder;
  private final int port;
  private final Process server;

  private RedisServer(Path folder, int port, Process server) {
    this.folder = folder;
    this.port = port;
    this.server = server;
  }

  /** Starts a server and returns when it answers. */
  public static RedisServer start() throws IOException, InterruptedException {
    String program = System.getenv("MILLRACE_TEST_REDIS_SERVER");
    if (program == null) {
      throw new IllegalStateException(
          "MILLRACE_TEST_REDIS_SERVER is not set; measure through script/benchmark, which sets it.");
    }
    Path folder = Files.createTempDirectory("millrace-redis-");
    int port = freePort();
    Process server =
        new ProcessBuilder(
                program,
                "--port",
                "" + port,
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--appendonly",
                "no",
                "--dir",
                folder.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    RedisServer redis = new RedisServer(folder, port, server);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!redis.answers()) {
      if (!server.isAlive() || System.nanoTime() > end) {
        redis.close();
        throw new IOException("Redis does not start: " + program + " --port " + port);
      }
      TimeUnit.MILLISECONDS.sleep(REST_MILLIS);
    }
    return redis;
  }

  private boolean answers() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        OutputStream out = socket.getOutputStream()) {
      out.write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
      out.flush();
      return socket.getInputStream().read() == '+';
    } catch (IOException e) {
      return false;
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  public String uri() {
    return "redis://127.0.0.1:" + port;
  }

  @Override
  public void close() throws IOException {
    server.destroyForcibly().onExit().join();
    Files.deleteIfExists(folder);
  }
}
