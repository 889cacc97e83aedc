package io.millrace.imports;

import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.instance.MillraceException;
import io.millrace.sequence.ComponentSource;
import io.millrace.sequence.TaskContext;
import io.millrace.sequence.TaskHandler;
import io.millrace.server.ConfigOption;
import io.millrace.server.DatabasePool;
import io.millrace.server.JsonOutput;
import io.millrace.server.Main;
import io.millrace.server.config.DatabaseConfig;
import io.millrace.server.config.ServerConfig;
import io.millrace.server.doctor.DatabaseMissingException;
import io.millrace.server.plugin.JarCopies;
import io.millrace.server.plugin.TaskJars;
import io.millrace.store.StoreException;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code millrace import}. */
@Command(
    name = "import",
    description = "Brings in what another system has in its tables.",
    subcommands = ImportCommand.Insights.class)
public final class ImportCommand {

  /** The command {@code millrace import insights}. */
  @Command(
      name = "insights",
      description = {
        "Adds the types, tasks and workflows of INSIGHTS_WORKFLOW_* tables to the database of",
        "the configuration. The source is only read. A second import adds nothing.",
        "Exits with 1 if something was refused."
      })
  static final class Insights implements Callable<Integer> {

    @Mixin private ConfigOption option = new ConfigOption();

    @Option(
        names = "--url",
        required = true,
        paramLabel = "URL",
        description = "The source, as jdbc:postgresql://host/database.")
    private String url = "";

    @Option(
        names = "--user",
        paramLabel = "NAME",
        description = "The database user that reads the source.")
    private @Nullable String user;

    @Option(
        names = "--password-from",
        paramLabel = "VARIABLE",
        description = "The environment variable that has the password.")
    private @Nullable String passwordFrom;

    @Option(
        names = "--schema",
        paramLabel = "NAME",
        description = "The schema of the tables; that of the connection unless set.")
    private @Nullable String schema;

    @Option(names = "--dry-run", description = "Changes nothing, and reports what would be done.")
    private boolean dryRun;

    @Option(
        names = "--replace",
        description = "What is there and another becomes as in the source.")
    private boolean replace;

    @Option(
        names = "--report",
        paramLabel = "FILE",
        description = "Also writes the report to a file: JSON if its name ends with .json.")
    private @Nullable Path file;

    @Option(names = "--json", description = "Writes JSON.")
    private boolean json;

    @Spec private CommandSpec spec;

    @SuppressWarnings("NullAway.Init") // picocli sets the specification
    Insights() {}

    @Override
    public Integer call() {
      String password = password();
      ServerConfig config = option.read().config();
      // Printed beside the report, because without --config the import would go into another
      // database unnoticed.
      spec.commandLine().getErr().println("Into the database " + config.database().shownUrl());
      ImportReport report;
      try (InsightsSource source = InsightsSource.open(url, user, password, schema);
          Target target = Target.open(config, dryRun)) {
        Instant now = InstantSource.system().instant().truncatedTo(ChronoUnit.SECONDS);
        report =
            InsightsImport.run(
                source, target.forImport(), new InsightsImport.Options(dryRun, replace), now);
      }
      PrintWriter out = spec.commandLine().getOut();
      out.print(json ? JsonOutput.of(report.values()) : report.text());
      out.flush();
      write(report);
      return report.ok() ? Main.OK : Main.FAILED;
    }

    private @Nullable String password() {
      if (passwordFrom == null) {
        return null;
      }
      String password = System.getenv(passwordFrom);
      if (password == null) {
        throw new ParameterException(
            spec.commandLine(),
            "--password-from names the environment variable "
                + passwordFrom
                + ", which is not set.");
      }
      return password;
    }

    private void write(ImportReport report) {
      if (file == null) {
        return;
      }
      boolean asJson = file.toString().endsWith(".json");
      try {
        Files.writeString(file, asJson ? JsonOutput.of(report.values()) : report.text());
      } catch (IOException e) {
        throw new MillraceException(
            "The import is done, but its report cannot be written to " + file + ": " + e, e);
      }
    }
  }

  /**
   * Handler that stands for every task class during an import. An import neither runs nor loads
   * task classes.
   */
  public static final class UnusedTaskHandler implements TaskHandler {
    @Override
    public void execute(TaskContext task) {
      throw new IllegalStateException("an import runs no tasks");
    }
  }

  /**
   * The database of the configuration.
   *
   * @param engine receives the imported data, and runs nothing
   * @param server knows the classes that a server would have
   */
  private record Target(
      HikariDataSource pool, JarCopies copies, TaskJars jars, Engine engine, Engine server)
      implements AutoCloseable {

    private static final int CONNECTIONS = 4;

    /**
     * Opens the database. A dry run creates no tables; if they are missing, it uses an empty
     * database in memory.
     */
    static Target open(ServerConfig config, boolean dryRun) {
      DatabaseConfig database = config.database();
      if (!dryRun) {
        return open(config, DatabasePool.open(database, CONNECTIONS), database.schema());
      }
      try {
        HikariDataSource pool = DatabasePool.openExisting(database, CONNECTIONS);
        if (database.schema() != SchemaMode.CREATE || hasTables(pool)) {
          return open(config, pool, SchemaMode.VALIDATE);
        }
        pool.close();
      } catch (DatabaseMissingException e) {
        if (database.schema() != SchemaMode.CREATE) {
          throw e;
        }
      }
      DatabaseConfig empty =
          new DatabaseConfig(
              "jdbc:h2:mem:" + UUID.randomUUID(), "millrace", "", CONNECTIONS, SchemaMode.CREATE);
      return open(config, DatabasePool.open(empty, CONNECTIONS), SchemaMode.CREATE);
    }

    private static boolean hasTables(HikariDataSource pool) {
      try {
        SqlStore.open(pool, new SqlStore.Options(SchemaMode.VALIDATE, null, false)).close();
        return true;
      } catch (StoreException e) {
        return false;
      }
    }

    private static Target open(ServerConfig config, HikariDataSource pool, SchemaMode mode) {
      JarCopies copies = JarCopies.temporary();
      TaskJars jars = new TaskJars(config.work().jars(), copies, List.of());
      try {
        Engine engine = engine(config, pool, mode, name -> UnusedTaskHandler.class);
        return new Target(
            pool, copies, jars, engine, engine(config, pool, SchemaMode.VALIDATE, jars));
      } catch (RuntimeException e) {
        copies.close();
        pool.close();
        throw e;
      }
    }

    private static Engine engine(
        ServerConfig config, HikariDataSource pool, SchemaMode mode, ComponentSource classes) {
      return Engine.builder()
          .store(SqlStore.open(pool, new SqlStore.Options(mode, null, true)))
          .settings(config.engine().runsInstances(false))
          .components(classes)
          .start();
    }

    InsightsImport.Target forImport() {
      return new InsightsImport.Target(
          engine.sequences(), task -> Optional.ofNullable(server.sequences().problem(task)));
    }

    @Override
    public void close() {
      try (pool;
          copies;
          jars;
          server) {
        engine.close();
      }
    }
  }
}
