package io.millrace.server.doctor;

import io.millrace.instance.MillraceException;
import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.admin.FlowAdmin;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.connect.RedisSettings;
import io.millrace.redis.connect.RedisUnavailableException;
import io.millrace.report.store.ReportSchema;
import io.millrace.server.config.ConfigSources;
import io.millrace.server.config.DatabaseConfig;
import io.millrace.server.config.ExposureCheck;
import io.millrace.server.config.HttpConfig.TlsMode;
import io.millrace.server.config.InvalidConfigException;
import io.millrace.server.config.LoadedConfig;
import io.millrace.server.config.ServerConfig;
import io.millrace.server.plugin.JarCopies;
import io.millrace.server.plugin.PluginProblem;
import io.millrace.server.plugin.Plugins;
import io.millrace.server.security.Accounts;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlDoctor;
import io.millrace.store.sql.SqlDoctor.Check;
import io.millrace.store.sql.SqlDoctor.Level;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** An examination of everything that a server needs. It changes nothing. */
public final class Doctor {

  /** Access to a database for the duration of a call. */
  @FunctionalInterface
  public interface Connections {
    /**
     * Passes a pool to {@code use} and closes it afterwards.
     *
     * @throws DatabaseInUseException if another process has the H2 file open
     * @throws DatabaseMissingException if the H2 file does not exist
     * @throws MillraceException if the database cannot be opened for another reason
     */
    void with(DatabaseConfig database, Consumer<DataSource> use);
  }

  private final Connections connections;
  private final InstantSource clock;
  private final List<Check> checks = new ArrayList<>();

  private Doctor(Connections connections, InstantSource clock) {
    this.connections = connections;
    this.clock = clock;
  }

  /** Examines the environment that a server with this configuration would find. */
  public static DoctorReport examine(
      ConfigSources configSources, Connections connections, InstantSource clock) {
    Doctor doctor = new Doctor(connections, clock);
    doctor.java();
    doctor.configuration(configSources);
    return new DoctorReport(List.copyOf(doctor.checks));
  }

  private void java() {
    Runtime machine = Runtime.getRuntime();
    checks.add(
        Check.ok(
            "java",
            String.format(
                Locale.ROOT,
                "JDK %s, %d processors, %d MiB of memory.",
                Runtime.version(),
                machine.availableProcessors(),
                machine.maxMemory() >> 20)));
  }

  private void configuration(ConfigSources configSources) {
    LoadedConfig loaded;
    try {
      loaded = LoadedConfig.read(configSources);
    } catch (InvalidConfigException e) {
      for (String problem : e.problems()) {
        checks.add(
            Check.fail(
                "configuration", problem, "Correct it; docs/configuration.md has all keys."));
      }
      return;
    }
    Path file = loaded.file();
    checks.add(
        Check.ok(
            "configuration",
            file == null ? "No file; defaults and environment." : "Read from " + file + "."));
    network(loaded.config());
    database(loaded.config());
    redis(loaded.config().work().redis());
  }

  private void network(ServerConfig config) {
    String bind = config.http().bind();
    try {
      ExposureCheck.check(config, () -> true);
    } catch (MillraceException e) {
      checks.add(Check.fail("network", String.valueOf(e.getMessage()), "Decide, and set it."));
      return;
    }
    if (ExposureCheck.isLoopback(bind)) {
      checks.add(Check.ok("network", "Only this machine can reach " + bind + "."));
    } else if (config.http().tls().mode() == TlsMode.NONE) {
      checks.add(
          Check.warn(
              "network",
              "Other machines reach " + bind + " without encryption.",
              "Set http.tls.mode = keystore, or put a proxy in front and set it to proxy."));
    } else {
      checks.add(Check.ok("network", "Other machines reach " + bind + ", with encryption."));
    }
    if (!config.security().enabled()) {
      checks.add(
          Check.warn(
              "security",
              "Each client that reaches this server is an administrator.",
              "Set security.enabled = true."));
    }
  }

  private void database(ServerConfig config) {
    DatabaseConfig database = config.database();
    try {
      connections.with(
          database,
          pool -> {
            checks.addAll(
                SqlDoctor.examine(
                    pool,
                    new SqlDoctor.Intent(
                        database.schema(), database.poolSize(), config.engine().retention()),
                    clock));
            rest(config, pool);
          });
    } catch (DatabaseMissingException e) {
      checks.add(
          Check.warn(
              "database",
              String.valueOf(e.getMessage()),
              "No action is needed before the first start of a new server."));
      // An empty database replaces the missing one, so that all the rest is examined.
      connections.with(
          new DatabaseConfig(
              "jdbc:h2:mem:" + UUID.randomUUID(), "millrace", "", 2, database.schema()),
          pool -> rest(config, pool));
    } catch (DatabaseInUseException e) {
      checks.add(
          Check.warn(
              "database",
              "Another process has the H2 file.",
              "If that is this server, all is well; stop it to have the database examined."));
    } catch (MillraceException e) {
      checks.add(
          Check.fail(
              "database",
              String.valueOf(e.getMessage()),
              "Start it, or correct the keys below 'database'."));
    }
  }

  private void rest(ServerConfig config, DataSource pool) {
    accounts(config, pool);
    reports(config, pool);
    workflows(config.work().jars(), pool);
  }

  /** Checks the tables of the accounts, and whether any user can log in. */
  private void accounts(ServerConfig config, DataSource pool) {
    boolean users = false;
    try {
      Accounts accounts = Accounts.open(pool, SchemaMode.VALIDATE, EngineClock.system());
      users = accounts.hasUsers();
      keys(accounts.keysWithoutOwner());
    } catch (MillraceException e) {
      if (config.database().schema() != SchemaMode.CREATE) {
        checks.add(
            Check.fail(
                "schema",
                String.valueOf(e.getMessage()),
                "Do what the finding says before the next start."));
      }
    }
    if (checks.stream().noneMatch(c -> c.name().equals("network") && c.level() == Level.FAIL)) {
      boolean found = users;
      try {
        ExposureCheck.check(config, () -> found);
      } catch (MillraceException e) {
        checks.removeIf(c -> c.name().equals("network"));
        checks.add(Check.fail("network", String.valueOf(e.getMessage()), "Decide, and set it."));
      }
    }
  }

  private void keys(List<String> withoutOwner) {
    if (!withoutOwner.isEmpty()) {
      checks.add(
          Check.warn(
              "keys",
              "API keys without an owner end with no user: "
                  + String.join(", ", withoutOwner)
                  + ".",
              "Make new ones as a user, and delete these. A server ends them 90 days after it has"
                  + " found them."));
    }
  }

  /**
   * Checks the tables of reports. A server creates them if it may; without them it runs, and only
   * reports fail.
   */
  private void reports(ServerConfig config, DataSource pool) {
    if (config.database().schema() == SchemaMode.CREATE) {
      return;
    }
    try {
      ReportSchema.validate(pool);
    } catch (MillraceException e) {
      checks.add(
          Check.warn(
              "reports",
              String.valueOf(e.getMessage()),
              "Do what the finding says, or no report can be made."));
    }
  }

  /** Checks Redis. A server runs without Redis and waits for it. */
  private void redis(@Nullable RedisSettings settings) {
    if (settings == null) {
      return;
    }
    try (Redis redis =
        io.millrace.redis.connect.RedisConnections.open(settings, EngineRuntime.system())) {
      redis.call("PING");
      int flows = new FlowAdmin(redis, EngineClock.system()).registry().flows().size();
      checks.add(Check.ok("redis", settings + " answers; it knows " + flows + " flows."));
    } catch (RedisUnavailableException | RedisReplyException e) {
      checks.add(
          Check.warn(
              "redis",
              settings + " does not answer: " + e.getMessage(),
              "Start it, or correct the keys below 'redis'; flows stand still until then."));
    }
  }

  private void workflows(Path folder, DataSource pool) {
    try (JarCopies copies = JarCopies.temporary();
        Plugins plugins = Plugins.load(folder, pool, copies)) {
      for (PluginProblem problem : plugins.problems()) {
        checks.add(
            Check.warn(
                "workflows",
                "'" + problem.name() + "' is left out: " + problem.problem(),
                problem.advice()));
      }
      try {
        plugins.codec();
      } catch (MillraceException e) {
        checks.add(
            Check.fail(
                "workflows",
                String.valueOf(e.getMessage()),
                "A server with these jars does not start; leave the codec to one jar that works."));
        return;
      }
      if (plugins.problems().isEmpty()) {
        checks.add(
            Check.ok(
                "workflows",
                plugins.workflows().size()
                    + " workflows in "
                    + plugins.loaded().size()
                    + " jars of "
                    + folder.toAbsolutePath().normalize()
                    + "."));
      }
    }
  }
}
