package io.millrace.server.demo.files;

import io.millrace.instance.MillraceException;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.connect.Connections;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.connect.RedisSettings;
import io.millrace.redis.connect.RedisUnavailableException;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The Redis of the demo: one that is there, or a private one below the demo's folder, which keeps
 * its jobs over restarts and ends with the demo.
 */
public final class DemoRedis implements AutoCloseable {

  private static final String LOCAL = "redis://127.0.0.1:6379";
  private static final List<String> PROGRAMS = List.of("redis-server", "valkey-server");
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final String uri;
  private final boolean ours;
  private final EngineRuntime runtime;
  private final @Nullable Process process;

  private DemoRedis(String uri, boolean ours, EngineRuntime runtime, @Nullable Process process) {
    this.uri = uri;
    this.ours = ours;
    this.runtime = runtime;
    this.process = process;
  }

  /**
   * Finds or starts one.
   *
   * @param configured the address that the user gave; null for none
   * @param folder for a private one
   * @param path the folders in which programs are, as in the variable PATH
   * @return empty when there is none and none can be started
   */
  public static Optional<DemoRedis> find(
      @Nullable String configured, Path folder, @Nullable String path, EngineRuntime runtime) {
    if (configured != null && !configured.isBlank()) {
      return Optional.of(new DemoRedis(configured, false, runtime, null));
    }
    return local(LOCAL, folder, path, runtime);
  }

  /**
   * Finds or starts one.
   *
   * @param local where one may be without being configured
   */
  static Optional<DemoRedis> local(
      String local, Path folder, @Nullable String path, EngineRuntime runtime) {
    if (answers(local, runtime)) {
      return Optional.of(new DemoRedis(local, false, runtime, null));
    }
    return program(path).flatMap(program -> start(program, folder.resolve("redis"), runtime));
  }

  private static Optional<Path> program(@Nullable String path) {
    for (String name : PROGRAMS) {
      for (String place : path == null ? new String[0] : path.split(File.pathSeparator, -1)) {
        if (!place.isEmpty() && Files.isExecutable(Path.of(place, name))) {
          return Optional.of(Path.of(place, name));
        }
      }
    }
    return Optional.empty();
  }

  /** One that a killed demo has left is taken over with its jobs. */
  private static Optional<DemoRedis> start(Path program, Path folder, EngineRuntime runtime) {
    try {
      Files.createDirectories(folder);
      Path address = folder.resolve("address");
      if (Files.exists(address) && isOf(folder, Files.readString(address), runtime)) {
        return Optional.of(new DemoRedis(Files.readString(address), true, runtime, null));
      }
      int port = freePort();
      Process started =
          new ProcessBuilder(
                  program.toString(),
                  "--port",
                  String.valueOf(port),
                  "--bind",
                  "127.0.0.1",
                  "--dir",
                  folder.toAbsolutePath().toString(),
                  "--save",
                  "",
                  "--appendonly",
                  "yes")
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("server.log").toFile())
              .start();
      String uri = "redis://127.0.0.1:" + port;
      Files.writeString(address, uri);
      DemoRedis redis = new DemoRedis(uri, true, runtime, started);
      if (redis.awaitAnswer(folder)) {
        return Optional.of(redis);
      }
      redis.close();
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    } catch (IOException e) {
      throw new MillraceException("The demo cannot start " + program + ": " + e, e);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private boolean awaitAnswer(Path folder) throws IOException, InterruptedException {
    long end = runtime.clock().nanoTime() + PATIENCE.toNanos();
    while (runtime.clock().nanoTime() < end && process != null && process.isAlive()) {
      if (isOf(folder, uri, runtime)) {
        return true;
      }
      runtime.runner().waiter().await(Duration.ofMillis(50));
    }
    return false;
  }

  private static boolean answers(String uri, EngineRuntime runtime) {
    try (Redis redis = hasty(uri, runtime)) {
      return "PONG".equals(redis.call("PING"));
    } catch (RedisUnavailableException | RedisReplyException e) {
      return false;
    }
  }

  /** Whether it keeps its jobs in this folder: the port may be another program's by now. */
  private static boolean isOf(Path folder, String uri, EngineRuntime runtime) throws IOException {
    try (Redis redis = hasty(uri, runtime)) {
      return redis.call("CONFIG", "GET", "dir") instanceof List<?> pair
          && pair.contains(folder.toRealPath().toString());
    } catch (RedisUnavailableException | RedisReplyException e) {
      return false;
    }
  }

  private static Redis hasty(String uri, EngineRuntime runtime) {
    return Connections.open(
        RedisSettings.of(uri)
            .connectTimeout(Duration.ofMillis(300))
            .timeout(Duration.ofMillis(500)),
        runtime);
  }

  public String uri() {
    return uri;
  }

  /** For people, without a password. */
  public String shown() {
    return ours ? "a Redis of its own" : uri.replaceAll("//.*@", "//");
  }

  /** Ends it when it is the demo's own; its jobs are kept in its folder. */
  @Override
  public void close() {
    if (!ours) {
      return;
    }
    try (Redis redis = Connections.open(RedisSettings.of(uri), runtime)) {
      redis.call("SHUTDOWN");
    } catch (RedisUnavailableException | RedisReplyException e) {
      // It has gone, which is what was asked for.
    }
    Process started = process;
    if (started != null) {
      try {
        if (!started.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
          started.destroyForcibly();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
