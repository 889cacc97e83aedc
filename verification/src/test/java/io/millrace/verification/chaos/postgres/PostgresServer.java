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

/** The server of a run, with a data folder and a port of its own and with fsync on. */
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
   * Makes a server in an empty folder and starts it.
   *
   * @param megabytes the size of its disk, where it can have one of its own
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

  /** Leads to the server's database by a port, its own or a proxy's. */
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

  /** Starts the server unless it runs or is closed; returns when it takes connections. */
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

  /** A connection past all proxies. */
  public Connection connect() throws SQLException {
    return DriverManager.getConnection(url(port, "chaos") + "&connectTimeout=2&socketTimeout=60");
  }

  private boolean takesConnections() {
    // This database exists from the beginning.
    String url = "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=" + USER;
    try (Connection connection = DriverManager.getConnection(url + "&connectTimeout=2")) {
      return connection.isValid(5);
    } catch (SQLException e) {
      return false;
    }
  }

  /**
   * Stops it.
   *
   * @param mode fast or immediate, as pg_ctl names them
   */
  public void stop(String mode) throws IOException, InterruptedException {
    postgresPrograms.tryToRun(
        "pg_ctl", "-D", data.toString(), "-m", mode, "-w", "-t", "60", "stop");
  }

  /** As by kill -9 of the postmaster; its children find out by themselves. */
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

  /** True when it has a disk of its own that can be full. */
  public boolean hasSmallDisk() {
    return disk != null;
  }

  /**
   * Takes all free space from its disk.
   *
   * @param beginLog also begins a new file of the write-ahead log, without which there may be room
   *     in the old one for a while
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
      // What this is for: the server ends all sessions when it cannot write its log.
      LOG.debug("The server found its disk full at once", e);
    }
  }

  /** Gives the space back. */
  public void freeDisk() throws IOException, InterruptedException {
    ownDisk().free();
  }

  private SmallDisk ownDisk() {
    return Optional.ofNullable(disk).orElseThrow();
  }

  /** How often the server's log has this text. */
  public long logged(String text) throws IOException {
    return PostgresPrograms.text(log).lines().filter(line -> line.contains(text)).count();
  }

  /** Writes all tables to a file that pg_restore reads. */
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
