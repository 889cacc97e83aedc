package io.millrace.verification.chaos.postgres;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The PostgreSQL server of a run, with its own data folder and port and with fsync on. */
public final class PostgresServer implements AutoCloseable {

  private static final Duration START_LIMIT = Duration.ofSeconds(90);
  private static final Logger LOG = LoggerFactory.getLogger(PostgresServer.class);
  private static final String USER = "millrace";

  private final PostgresPrograms postgresPrograms;
  private final Path data;
  private final Path log;
  private final int port;
  private volatile boolean closed;
  private @Nullable SmallDisk disk;

  private PostgresServer(PostgresPrograms postgresPrograms, Path folder, int port) {
    this.postgresPrograms = postgresPrograms;
    this.data = folder.resolve("disk/data");
    this.log = folder.resolve("server.log");
    this.port = port;
  }

  /**
   * Creates a server in an empty folder and starts it.
   *
   * @param megabytes size of its disk, if it can have one of its own
   */
  public static PostgresServer create(Path folder, long megabytes)
      throws IOException, InterruptedException {
    PostgresPrograms postgresPrograms = PostgresPrograms.find();
    PostgresServer server = new PostgresServer(postgresPrograms, folder, freePort());
    Path mount = Files.createDirectories(folder.resolve("disk"));
    try {
      server.disk = SmallDisk.mount(mount, megabytes).orElse(null);
      if (PostgresPrograms.isRoot()) {
        PostgresPrograms.system("chown", "-R", "postgres", folder.toString());
      }
      postgresPrograms.run(
          "initdb",
          "-D",
          server.data.toString(),
          "-U",
          USER,
          "--auth=trust",
          "--encoding=UTF8",
          "--locale=C");
      server.start();
      postgresPrograms.run("createdb", "-h", "127.0.0.1", "-p", "" + server.port, "-U", USER, USER);
      return server;
    } catch (IOException | InterruptedException e) {
      server.close();
      throw e;
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  public int port() {
    return port;
  }

  /** Returns the URL of the server's database at a port, its own or a proxy's. */
  public static String url(int port, String application) {
    return "jdbc:postgresql://127.0.0.1:"
        + port
        + "/"
        + USER
        + "?user="
        + USER
        + "&ApplicationName="
        + application;
  }

  /** Starts the server unless it runs or is closed; returns when it accepts connections. */
  public void start() throws IOException, InterruptedException {
    long end = System.nanoTime() + START_LIMIT.toNanos();
    while (!closed && !takesConnections()) {
      // Fails while processes of a killed server still end, or while the server recovers.
      int code =
          postgresPrograms.tryToRun(
              "pg_ctl",
              "-D",
              data.toString(),
              "-l",
              log.toString(),
              "-w",
              "-t",
              "60",
              "-o",
              "-c listen_addresses=127.0.0.1 -c port="
                  + port
                  + " -c unix_socket_directories='' -c fsync=on -c max_connections=100"
                  + " -c shared_buffers=64MB -c max_wal_size=256MB -c log_min_messages=warning",
              "start");
      if (code != 0 && System.nanoTime() > end) {
        throw new IOException("PostgreSQL in " + data + " does not start; its log is " + log + ".");
      }
      if (code != 0) {
        TimeUnit.MILLISECONDS.sleep(200);
      }
    }
  }

  /** Opens a connection that bypasses all proxies. */
  public Connection connect() throws SQLException {
    return DriverManager.getConnection(url(port, "chaos") + "&connectTimeout=2&socketTimeout=60");
  }

  private boolean takesConnections() {
    // This database always exists.
    String url = "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=" + USER;
    try (Connection connection = DriverManager.getConnection(url + "&connectTimeout=2")) {
      return connection.isValid(5);
    } catch (SQLException e) {
      return false;
    }
  }

  /**
   * Stops the server.
   *
   * @param mode fast or immediate, as pg_ctl names them
   */
  public void stop(String mode) throws IOException, InterruptedException {
    postgresPrograms.tryToRun(
        "pg_ctl", "-D", data.toString(), "-m", mode, "-w", "-t", "60", "stop");
  }

  /** Kills the postmaster, like kill -9; its children notice that themselves. */
  public void kill() throws IOException {
    if (!Files.exists(data.resolve("postmaster.pid"))) {
      return;
    }
    long pid =
        Long.parseLong(
            PostgresPrograms.text(data.resolve("postmaster.pid"))
                .lines()
                .findFirst()
                .orElseThrow());
    ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
  }

  /** True if the server has a disk of its own that can be full. */
  public boolean hasSmallDisk() {
    return disk != null;
  }

  /**
   * Uses up all free space on the server's disk.
   *
   * @param beginLog true to switch to a new file of the write-ahead log; otherwise the current file
   *     may have room for a while
   */
  public void fillDisk(boolean beginLog) throws IOException, InterruptedException {
    ownDisk().fill();
    if (!beginLog) {
      return;
    }
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_switch_wal()");
    } catch (SQLException e) {
      // Expected: the server ends all sessions when it cannot write its log.
      LOG.debug("The server found its disk full at once", e);
    }
  }

  /** Frees the space. */
  public void freeDisk() throws IOException, InterruptedException {
    ownDisk().free();
  }

  private SmallDisk ownDisk() {
    return Optional.ofNullable(disk).orElseThrow();
  }

  /** Returns the number of lines in the server's log that contain a text. */
  public long logged(String text) throws IOException {
    return PostgresPrograms.text(log).lines().filter(line -> line.contains(text)).count();
  }

  /** Dumps all tables to a file for pg_restore. */
  public void dump(Path file) throws IOException, InterruptedException {
    Path written = data.resolveSibling("dump");
    postgresPrograms.run(
        "pg_dump",
        "-h",
        "127.0.0.1",
        "-p",
        "" + port,
        "-U",
        USER,
        "-Fc",
        "-f",
        written.toString(),
        USER);
    Files.move(written, file);
  }

  @Override
  public void close() throws IOException {
    closed = true;
    try {
      stop("immediate");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (disk != null) {
      disk.close();
    }
  }
}
