package io.millrace.benchmarks.postgres;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A PostgreSQL server with durable settings, in a new folder and on a free port of 127.0.0.1. */
public final class BenchmarkPostgres implements AutoCloseable {

  private static final String HOST = "127.0.0.1";
  private static final String USER = "benchmark";
  private static final long LIMIT_SECONDS = 120;

  /**
   * Options of the server: memory and write-ahead log for a small machine, durable commits, and
   * defaults for the rest.
   */
  private static final String SETTINGS =
      "-c listen_addresses=127.0.0.1 -c port=%d -c unix_socket_directories=''"
          + " -c max_connections=200 -c shared_buffers=512MB -c max_wal_size=4GB"
          + " -c fsync=on -c synchronous_commit=on -c full_page_writes=on%s";

  private static final String COUNT_STATEMENTS =
      " -c shared_preload_libraries=pg_stat_statements -c pg_stat_statements.track=none";

  private final Path programs;
  private final Path folder;
  private final int port;
  private boolean countsStatements;
  private int databases;
  private boolean closed;

  private BenchmarkPostgres(Path programs, Path folder, int port) {
    this.programs = programs;
    this.folder = folder;
    this.port = port;
  }

  /**
   * Creates a server and starts it.
   *
   * @param programs folder of initdb and pg_ctl
   */
  public static BenchmarkPostgres start(Path programs) throws IOException {
    Path folder = Files.createTempDirectory("millrace-benchmark");
    BenchmarkPostgres benchmarkPostgres = new BenchmarkPostgres(programs, folder, freePort());
    try {
      if (isRoot()) {
        require(run(List.of("chown", "postgres", folder.toString())), "chown");
      }
      String data = folder.resolve("data").toString();
      require(
          benchmarkPostgres.program(
              "initdb", "-D", data, "-U", USER, "--auth=trust", "--locale=C", "-E", "UTF8"),
          "initdb");
      benchmarkPostgres.countsStatements =
          benchmarkPostgres.pgCtl(SETTINGS.formatted(benchmarkPostgres.port, COUNT_STATEMENTS));
      if (!benchmarkPostgres.countsStatements) {
        require(
            benchmarkPostgres.pgCtl(SETTINGS.formatted(benchmarkPostgres.port, "")) ? 0 : 1,
            "pg_ctl start");
      }
      return benchmarkPostgres;
    } catch (IOException | RuntimeException e) {
      benchmarkPostgres.close();
      throw e;
    }
  }

  private boolean pgCtl(String settings) throws IOException {
    return program(
            "pg_ctl",
            "-D",
            folder.resolve("data").toString(),
            "-l",
            folder.resolve("server.log").toString(),
            "-w",
            "-o",
            settings,
            "start")
        == 0;
  }

  /** True if {@code pg_stat_statements} could be loaded. */
  public boolean countsStatements() {
    return countsStatements;
  }

  /** Creates an empty database. */
  public BenchmarkDatabase create() throws SQLException, IOException {
    BenchmarkDatabase main = database("postgres");
    BenchmarkDatabase made = database("run" + ++databases);
    main.execute("CREATE DATABASE " + made.name());
    return made;
  }

  /** Ends all sessions of a database, drops it, and flushes pending writes to disk. */
  public void drop(BenchmarkDatabase database) throws SQLException, IOException {
    database("postgres")
        .execute("DROP DATABASE IF EXISTS " + database.name() + " WITH (FORCE)", "CHECKPOINT");
  }

  private BenchmarkDatabase database(String name) throws IOException {
    Path pidFile = folder.resolve("data/postmaster.pid");
    return new BenchmarkDatabase(
        HOST, port, name, USER, Long.parseLong(Files.readAllLines(pidFile).get(0)));
  }

  public String version() throws SQLException, IOException {
    long number = database("postgres").number("SHOW server_version_num");
    return "PostgreSQL " + number / 10_000 + "." + number % 10_000;
  }

  private int program(String name, String... args) throws IOException {
    List<String> command = new ArrayList<>();
    if (isRoot()) {
      command.addAll(List.of("runuser", "-u", "postgres", "--"));
    }
    command.add(programs.resolve(name).toString());
    command.addAll(List.of(args));
    return run(command);
  }

  private static int run(List<String> command) throws IOException {
    // The server outlives this process and would keep a pipe for its output open.
    Process process =
        new ProcessBuilder(command)
            .directory(new File("/"))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      return process.onExit().orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS).join().exitValue();
    } catch (CompletionException e) {
      process.destroyForcibly();
      throw new IOException(command + " did not end within " + LIMIT_SECONDS + " s", e);
    }
  }

  private static void require(int code, String what) throws IOException {
    if (code != 0) {
      throw new IOException(what + " ended with " + code);
    }
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Stops the server and deletes its folder. Thread-safe; only the first call has an effect. */
  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    program("pg_ctl", "-D", folder.resolve("data").toString(), "-m", "immediate", "-w", "stop");
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
