package io.millrace.demo;

import io.millrace.EngineBuilder;
import io.millrace.WorkflowClient;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.demo.shop.DemoShop;
import io.millrace.demo.shop.OfficeTasks;
import io.millrace.demo.shop.PriceLists;
import io.millrace.demo.shop.Sleeper;
import io.millrace.demo.shop.TillWorkflow;
import io.millrace.examples.report.OutputFolders;
import io.millrace.examples.report.RepositoryReports;
import io.millrace.instance.MillraceException;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.sequence.SequenceService;
import io.millrace.server.security.Accounts;
import io.millrace.server.security.GeneratedLogin;
import io.millrace.server.security.Role;
import io.millrace.store.sql.SchemaMode;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The demo: an online shop with thirty days of history in a folder of its own. Prepare it, run its
 * definitions on its database, and start its live traffic.
 */
public final class Demo implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Demo.class);
  private static final int DAYS = 30;
  private static final String LOGIN = "demo";
  private static final String KEY = "demo command line";
  private static final int KEY_DAYS = 30;

  private final Path folder;
  private final DemoDatabase database;
  private final EngineRuntime runtime;
  private final int days;
  private final Path repository;
  private final @Nullable RepositoryReports reports;
  private final OfficeTasks officeTasks;
  private final PriceLists prices;
  private final FileChannel lock;

  private Demo(Path folder, Path repository, EngineRuntime runtime, int days, FileChannel lock) {
    this.folder = folder;
    this.database = new DemoDatabase(folder);
    this.runtime = runtime;
    this.days = days;
    this.repository = repository;
    this.officeTasks = new OfficeTasks(folder);
    this.prices = new PriceLists(folder.resolve("inbox"));
    this.reports =
        RepositoryReports.on(repository, new OutputFolders(folder, folder.resolve("reports")))
            .orElse(null);
    this.lock = lock;
  }

  /**
   * Opens the demo's folder, which only one process can use at a time.
   *
   * @param folder created if it is missing
   * @param repository git repository to report on; need not be one
   * @throws MillraceException if another process uses the folder, or the folder cannot be used
   */
  public static Demo open(Path folder, Path repository, EngineRuntime runtime) {
    return open(folder, repository, runtime, DAYS);
  }

  static Demo open(Path folder, Path repository, EngineRuntime runtime, int days) {
    DemoLogging.theScreen();
    try {
      Files.createDirectories(folder.resolve("reports"));
      return new Demo(folder, repository, runtime, days, lock(folder));
    } catch (IOException e) {
      throw new MillraceException(
          "The demo cannot use the folder '" + folder + "': " + e + ". Name another one.", e);
    }
  }

  private static FileChannel lock(Path folder) throws IOException {
    FileChannel channel =
        FileChannel.open(
            folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (!isTaken(channel)) {
      return channel;
    }
    channel.close();
    throw new MillraceException(
        "The demo in '" + folder + "' already runs in another process. Stop that one first.");
  }

  private static boolean isTaken(FileChannel channel) throws IOException {
    try {
      FileLock taken = channel.tryLock();
      return taken == null;
    } catch (OverlappingFileLockException e) {
      return true;
    }
  }

  /**
   * Ensures that a complete history exists: keeps an existing one, or creates one that ends now.
   *
   * @param fresh true to delete an existing history
   * @param say receives status messages, one line each
   * @param progress receives the state of the history after each simulated day
   */
  public void prepare(boolean fresh, Consumer<String> say, Consumer<String> progress) {
    if (fresh) {
      database.delete();
      officeTasks.forget();
    }
    if (database.exists()) {
      say.accept("continuing with the history in " + folder);
      return;
    }
    if (reports == null) {
      say.accept("no git history here, so there will be no repository reports");
    }
    say.accept("replaying " + days + " days of a shop, which takes half a minute");
    long began = runtime.clock().nanoTime();
    HistoryReplay.Result result =
        database.create(
            new HistoryReplay(
                runtime.clock().instant(),
                days,
                reports,
                made ->
                    progress.accept(
                        "the history is being made: " + made + " of " + days + " days")));
    progress.accept("the history is there, and the server starts");
    Duration took = Duration.ofNanos(runtime.clock().nanoTime() - began);
    say.accept(
        String.format(
            Locale.ROOT,
            "replayed %d days of a shop: %,d workflows, %,d attempts (%.1f s)",
            days,
            result.instances(),
            result.attempts(),
            took.toMillis() / 1000.0));
  }

  /**
   * Returns the settings with which a server runs on this demo, as system properties without their
   * prefix.
   */
  public Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>();
    settings.put("database.url", database.url());
    settings.put("database.user", DemoDatabase.USER);
    settings.put("database.password", "");
    settings.put("http.bind", StartPage.BIND);
    if (reports != null) {
      settings.put("report.git.repository", repository.toString());
      settings.put(
          "report.git.title",
          "The repository " + repository.toAbsolutePath().normalize().getFileName());
    }
    return settings;
  }

  /**
   * Renews the password, the login link and the API key of the only user {@code demo}, an admin,
   * and ends older sessions. The API key is written to a file that only its owner can read.
   */
  public DemoCredentials access() {
    return database.with(pool -> {
      Accounts accounts = Accounts.open(pool, SchemaMode.CREATE, runtime.clock());
      GeneratedLogin login = accounts.replaceUser(LOGIN, Role.ADMIN);
      String key = accounts.renewKey(KEY, Role.ADMIN, KEY_DAYS, LOGIN);
      return new DemoCredentials(login, accounts.loginLink(LOGIN), writeKey(key));
    });
  }

  private Path writeKey(String key) {
    Path file = folder.resolve("api-key").toAbsolutePath().normalize();
    try {
      Files.deleteIfExists(file);
      if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
        Files.createFile(
            file,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      }
      return Files.writeString(file, key + "\n");
    } catch (IOException e) {
      throw new MillraceException(
          "The demo cannot write its API key to '" + file + "': " + e + ". Delete that file.", e);
    }
  }

  /** Returns the workflow definitions that the engine runs. */
  public List<WorkflowDefinition> definitions() {
    DemoShop demoShop = new DemoShop(runtime.clock().instant(), Sleeper.of(runtime));
    List<WorkflowDefinition> all = new ArrayList<>(demoShop.definitions());
    if (reports != null) {
      all.add(reports.definition());
    }
    return all;
  }

  /** Registers the workflows, the continuous workflows, and the tasks that run on a calendar. */
  public void addTo(EngineBuilder builder) {
    builder.workflows(definitions());
    officeTasks.addTo(builder);
    prices.open();
    prices.addTo(builder);
    TillWorkflow.addTo(builder);
  }

  /** Returns the folder that {@code folder-watch} watches. */
  public Path inbox() {
    return prices.folder();
  }

  /**
   * Adds the shop's sequences to the calendar of a started server, and starts a report on the
   * repository.
   */
  public void startSequences(SequenceService sequenceService) {
    DemoSequences demoSequences = new DemoSequences(sequenceService, runtime.clock().instant());
    demoSequences.open();
    if (reports == null) {
      LOG.info("{} has no git history, so there is no weekly report", repository);
    } else {
      demoSequences.report();
    }
  }

  /** Starts live traffic, which runs until the returned object is closed. */
  public LiveTraffic trickle(WorkflowClient client) {
    return new LiveTraffic(client, runtime, reports).start();
  }

  /** Releases the folder. */
  @Override
  public void close() {
    try {
      lock.close();
    } catch (IOException e) {
      throw new MillraceException("The demo's folder '" + folder + "' was not released: " + e, e);
    }
  }
}
