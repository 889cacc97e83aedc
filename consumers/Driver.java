import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Drives a consumer through an order while killing its process twice, and checks what is left in the
 * database and in the log.
 *
 * <p>{@code java -cp CLASSPATH Driver.java LOG COMMAND...} starts the consumer with the command. The class
 * path has the drivers of the consumer. The environment has DATABASE_URL, DATABASE_USER and
 * DATABASE_PASSWORD of an empty database, the name of a file of EXPECTED_WARNINGS and, with FLYWAY=yes, tells that the consumer migrates
 * its own tables with Flyway. The exit code is 1 if a check fails.
 */
final class Driver {

  private static final Duration LIMIT = Duration.ofMinutes(5);

  private static final Set<String> SHOP_TABLES =
      Set.of("customer_order", "reservation", "shipment");

  private static final String FLYWAY_TABLE = "flyway_schema_history";

  private static final Pattern COMPLAINT =
      Pattern.compile("\\b(WARN|WARNING|ERROR|SEVERE|FATAL)\\b|Exception\\b|^\\s+at \\S+\\(");

  private final HttpClient http = HttpClient.newHttpClient();
  private final Path log;
  private final List<String> command;
  private volatile Process process;
  private int port;

  private Driver(Path log, List<String> command) {
    this.log = log;
    this.command = command;
  }

  public static void main(String[] args) throws Exception {
    Driver driver = new Driver(Path.of(args[0]), List.of(args).subList(1, args.length));
    Runtime.getRuntime().addShutdownHook(new Thread(driver::kill));
    try {
      driver.run();
    } catch (CheckFailedException e) {
      System.err.println("error: " + e.getMessage());
      System.exit(1);
    }
  }

  private void run() throws Exception {
    Files.deleteIfExists(log);
    start();
    check("a committed start", "200", request("POST", "A-1").substring(0, 3));
    check("a start that is rolled back", "400", request("POST", "bad-1").substring(0, 3));
    await("the wait for the payment", () -> request("GET", "A-1").equals("200 AWAIT_PAYMENT"));
    check("the workflow that was rolled back", "200 none", request("GET", "bad-1"));
    kill();
    List<String> migrations = checkDatabase(false);

    start();
    // H2 shows a commit before it is on disk, so the last transition may be repeated.
    await("the wait after a crash", () -> request("GET", "A-1").equals("200 AWAIT_PAYMENT"));
    check("the payment", "200", request("POST", "A-1/payment").substring(0, 3));
    await("the call of the courier", () -> logged("The courier is called for order A-1"));
    kill();

    start();
    await("the end after a crash in a step", () -> request("GET", "A-1").equals("200 DONE"));
    stop();
    check("the application's migrations", migrations, checkDatabase(true));
    checkLog();
  }

  /** Starts the consumer and waits until it answers. */
  private void start() throws Exception {
    port = freePort();
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("PORT", String.valueOf(port));
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.redirectInput(new File("/dev/null"));
    Files.writeString(
        log, "--- the process starts\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    process = builder.start();
    await("the first answer", () -> request("GET", "none").equals("200 none"));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Ends the process as a crash does. */
  private void kill() {
    if (process != null) {
      process.destroyForcibly().onExit().join();
    }
  }

  /** Ends the process as a supervisor does. */
  private void stop() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      throw new CheckFailedException("The process did not end within 60 seconds after SIGTERM.");
    }
  }

  /** Returns the status and the text of an answer, or the error if there is none. */
  private String request(String method, String path) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/orders/" + path))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .timeout(Duration.ofSeconds(30))
            .build();
    try {
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
      return answer.statusCode() + " " + answer.body();
    } catch (IOException e) {
      return e.toString();
    }
  }

  private boolean logged(String text) throws IOException {
    return Files.readString(log).contains(text);
  }

  /** Checks the rows and the tables, and returns the migrations that Flyway has recorded. */
  private static List<String> checkDatabase(boolean shipped) throws SQLException {
    try (Connection connection =
        DriverManager.getConnection(
            System.getenv("DATABASE_URL"),
            System.getenv("DATABASE_USER"),
            System.getenv("DATABASE_PASSWORD"))) {
      check("the orders", List.of("A-1"), rows(connection, "customer_order", "number"));
      check("the reservations", List.of("A-1"), rows(connection, "reservation", "number"));
      check(
          "the shipments",
          shipped ? List.of("A-1") : List.of(),
          rows(connection, "shipment", "number"));
      boolean flyway = "yes".equals(System.getenv("FLYWAY"));
      Set<String> expected = new TreeSet<>(SHOP_TABLES);
      if (flyway) {
        expected.add(FLYWAY_TABLE);
      }
      Set<String> tables = tables(connection);
      if (!tables.removeIf(table -> table.startsWith("millrace_"))) {
        throw new CheckFailedException("The database has no table of the engine.");
      }
      check("the tables beside those of the engine", expected, tables);
      return flyway ? migrations(connection) : List.of();
    }
  }

  private static List<String> migrations(Connection connection) throws SQLException {
    String quoted = '"' + FLYWAY_TABLE + '"';
    List<String> scripts =
        rows(connection, quoted, "CONCAT(\"type\", ' ', \"script\", ' ', \"installed_on\")");
    check(
        "the versions that Flyway has applied",
        List.of("1", "2"),
        rows(connection, quoted + " WHERE \"type\" = 'SQL'", "\"version\""));
    return scripts;
  }

  private static Set<String> tables(Connection connection) throws SQLException {
    Set<String> names = new TreeSet<>();
    try (ResultSet tables =
        connection
            .getMetaData()
            .getTables(
                connection.getCatalog(), connection.getSchema(), "%", new String[] {"TABLE"})) {
      while (tables.next()) {
        names.add(tables.getString("TABLE_NAME").toLowerCase(Locale.ROOT));
      }
    }
    return names;
  }

  private static List<String> rows(Connection connection, String table, String expression)
      throws SQLException {
    List<String> values = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT " + expression + " FROM " + table + " ORDER BY 1")) {
      while (rows.next()) {
        values.add(rows.getString(1));
      }
    }
    return values;
  }

  private void checkLog() throws IOException {
    List<Pattern> expected =
        Files.readAllLines(Path.of(System.getenv("EXPECTED_WARNINGS"))).stream()
            .filter(line -> !line.startsWith("#"))
            .map(Pattern::compile)
            .toList();
    List<String> complaints =
        Files.readAllLines(log).stream()
            .filter(line -> COMPLAINT.matcher(line).find())
            .filter(line -> expected.stream().noneMatch(one -> one.matcher(line).find()))
            .toList();
    if (!complaints.isEmpty()) {
      throw new CheckFailedException(
          "The log " + log + " has warnings or errors:\n" + String.join("\n", complaints));
    }
  }

  private static void check(String what, Object expected, Object found) {
    if (!expected.equals(found)) {
      throw new CheckFailedException(
          "Wrong result for " + what + ": found " + found + ", expected " + expected + ".");
    }
  }

  private void await(String what, Condition condition) throws Exception {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!condition.holds()) {
      if (!process.isAlive()) {
        throw new CheckFailedException(
            "The process ended with exit code "
                + process.exitValue()
                + " before "
                + what
                + "; see "
                + log
                + ".");
      }
      if (System.nanoTime() > deadline) {
        throw new CheckFailedException(
            "There was no sign of " + what + " within " + LIMIT.toSeconds() + " s; see " + log + ".");
      }
      Thread.sleep(100);
    }
  }

  private interface Condition {
    boolean holds() throws Exception;
  }

  private static final class CheckFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    CheckFailedException(String message) {
      super(message);
    }
  }
}
