package io.millrace.demo.files;

import io.millrace.instance.MillraceException;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisConnections;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The Redis server of the demo: an existing one, or a private one below the demo's folder, which
 * keeps its jobs over restarts and ends with the demo.
 */
public final class DemoRedis implements AutoCloseable {

  private static final String LOCAL = "redis://127.0.0.1:6379";
  private static final List<String> PROGRAMS = List.of("redis-server", "valkey-server");
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final Pattern PROCESS = Pattern.compile("process_id:(\\d+)");

  private final String uri;
  private final EngineRuntime runtime;

  /** Process of a private server; null otherwise. */
  private final @Nullable ProcessHandle process;

  private DemoRedis(String uri, EngineRuntime runtime, @Nullable ProcessHandle process) {
    this.uri = uri;
    this.runtime = runtime;
    this.process = process;
  }

  /**
   * Finds or starts a Redis server.
   *
   * @param configured address that the user gave; null for none
   * @param folder folder of a private server
   * @param path folders to search for programs, in the format of the PATH variable
   * @return empty if there is no server and none can be started
   */
  public static Optional<DemoRedis> find(
      @Nullable String configured, Path folder, @Nullable String path, EngineRuntime runtime) {
    if (configured != null && !configured.isBlank()) {
      return Optional.of(new DemoRedis(configured, runtime, null));
    }
    return local(LOCAL, folder, path, runtime);
  }

  /**
   * Finds a local server or starts a private one.
   *
   * @param local address at which an unconfigured server may run
   */
  static Optional<DemoRedis> local(
      String local, Path folder, @Nullable String path, EngineRuntime runtime) {
    if (answers(local, runtime)) {
      return Optional.of(new DemoRedis(local, runtime, null));
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

  /** Starts a private server, or takes over one that a killed demo has left, with its jobs. */
  private static Optional<DemoRedis> start(Path program, Path folder, EngineRuntime runtime) {
    try {
      Files.createDirectories(folder);
      Path address = folder.resolve("address");
      if (Files.exists(address)) {
        String known = Files.readString(address);
        Optional<ProcessHandle> left = processOf(folder, known, runtime);
        if (left.isPresent()) {
          return Optional.of(new DemoRedis(known, runtime, left.get()));
        }
      }
      String uri = launch(program, folder);
      Files.writeString(address, uri);
      return awaitAnswer(folder, uri, runtime).map(own -> new DemoRedis(uri, runtime, own));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    } catch (IOException e) {
      throw new MillraceException("The demo cannot start " + program + ": " + e, e);
    }
  }

  /**
   * Starts the server as a daemon, which Ctrl-C does not reach. The demo stops it after its workers
   * have stopped.
   */
  private static String launch(Path program, Path folder) throws IOException {
    int port = freePort();
    List<String> command = new ArrayList<>(List.of(program.toString()));
    Map.of(
            "port",
            String.valueOf(port),
            "bind",
            "127.0.0.1",
            "dir",
            folder.toAbsolutePath().toString(),
            "logfile",
            folder.toAbsolutePath().resolve("server.log").toString(),
            "save",
            "",
            "appendonly",
            "yes",
            "daemonize",
            "yes")
        .forEach((name, value) -> command.addAll(List.of("--" + name, value)));
    new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("start.log").toFile())
        .start();
    return "redis://127.0.0.1:" + port;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static Optional<ProcessHandle> awaitAnswer(Path folder, String uri, EngineRuntime runtime)
      throws IOException, InterruptedException {
    long end = runtime.clock().nanoTime() + PATIENCE.toNanos();
    Optional<ProcessHandle> process = processOf(folder, uri, runtime);
    while (process.isEmpty() && runtime.clock().nanoTime() < end) {
      runtime.runner().waiter().await(Duration.ofMillis(50));
      process = processOf(folder, uri, runtime);
    }
    return process;
  }

  private static boolean answers(String uri, EngineRuntime runtime) {
    try (Redis redis = hasty(uri, runtime)) {
      return "PONG".equals(redis.call("PING"));
    } catch (RedisUnavailableException | RedisReplyException e) {
      return false;
    }
  }

  /**
   * Returns the process if it keeps its jobs in this folder, because another program may use the
   * port by now.
   */
  private static Optional<ProcessHandle> processOf(Path folder, String uri, EngineRuntime runtime)
      throws IOException {
    try (Redis redis = hasty(uri, runtime)) {
      boolean own =
          redis.call("CONFIG", "GET", "dir") instanceof List<?> pair
              && pair.contains(folder.toRealPath().toString());
      Matcher number = PROCESS.matcher(String.valueOf(redis.call("INFO", "server")));
      return own && number.find()
          ? ProcessHandle.of(Long.parseLong(number.group(1)))
          : Optional.empty();
    } catch (RedisUnavailableException | RedisReplyException e) {
      return Optional.empty();
    }
  }

  private static Redis hasty(String uri, EngineRuntime runtime) {
    return RedisConnections.open(
        RedisSettings.of(uri)
            .connectTimeout(Duration.ofMillis(300))
            .timeout(Duration.ofMillis(500)),
        runtime);
  }

  public String uri() {
    return uri;
  }

  /** Returns the address as it is shown to users, without password. */
  public String shown() {
    return process != null ? "a Redis of its own" : uri.replaceAll("//.*@", "//");
  }

  /** Ends a private server; its jobs are kept in its folder. */
  @Override
  public void close() {
    ProcessHandle own = process;
    if (own == null) {
      return;
    }
    try (Redis redis = RedisConnections.open(RedisSettings.of(uri), runtime)) {
      redis.call("SHUTDOWN");
    } catch (RedisUnavailableException | RedisReplyException e) {
      // The process has already ended.
    }
    try {
      own.onExit().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException e) {
      own.destroyForcibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
