package io.millrace.store.sql;

import io.millrace.instance.MillraceException;
import io.millrace.lifecycle.EngineSettings.Retention;
import io.millrace.store.StoreException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A check whether a database is fit for {@link SqlStore}. Changes nothing in it. */
public final class SqlDoctor {

  /** The result level of a check. */
  public enum Level {
    OK,
    /** The database works, but needs attention. */
    WARN,
    /** The database does not work. */
    FAIL
  }

  /**
   * The result of one check.
   *
   * @param name of the check, one word
   * @param finding a sentence
   * @param advice what to do, as a sentence; empty if all is well
   */
  public record Check(String name, Level level, String finding, String advice) {
    public static Check ok(String name, String finding) {
      return new Check(name, Level.OK, finding, "");
    }

    public static Check warn(String name, String finding, String advice) {
      return new Check(name, Level.WARN, finding, advice);
    }

    public static Check fail(String name, String finding, String advice) {
      return new Check(name, Level.FAIL, finding, advice);
    }
  }

  /**
   * The intended use of the database.
   *
   * @param schema how a store treats the tables when it is opened
   * @param connections maximum number of connections in use
   * @param retention when engines archive and delete ended instances
   * @param tables the tables beside those of the core
   */
  public record Intent(
      SchemaMode schema, int connections, Retention retention, List<SqlExtension> tables) {
    public Intent {
      tables = List.copyOf(tables);
    }

    /** Creates an intent with the tables of all features. */
    public Intent(SchemaMode schema, int connections, Retention retention) {
      this(schema, connections, retention, FeatureTables.ALL);
    }

    /** Creates an intent without retention, with the tables of all features. */
    public Intent(SchemaMode schema, int connections) {
      this(schema, connections, Retention.NONE);
    }
  }

  /** A check with one session. */
  @FunctionalInterface
  interface SessionCheck {
    Check ask(SqlSession session) throws SQLException;
  }

  /** A check that needs connections of its own. */
  @FunctionalInterface
  interface DataSourceCheck {
    Check of(DataSource dataSource) throws SQLException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(SqlDoctor.class);
  private static final Duration NEAR = Duration.ofSeconds(1);

  private final DataSource dataSource;
  private final Jdbc jdbc;
  private final Intent intent;
  private final Migrations migrations;
  private final InstantSource clock;
  private final List<Check> checks = new ArrayList<>();

  private SqlDoctor(DataSource dataSource, Dialect dialect, Intent intent, InstantSource clock) {
    this.dataSource = dataSource;
    this.jdbc = new Jdbc(dataSource, dialect, null, SqlHooks.of(intent.tables));
    this.intent = intent;
    this.migrations = Schema.with(intent.tables);
    this.clock = clock;
  }

  /**
   * Checks the database to which {@code dataSource} leads.
   *
   * @param clock this machine's, to compare with the database's
   * @return the results, in a meaningful order; never throws for what it finds
   */
  public static List<Check> examine(DataSource dataSource, Intent intent, InstantSource clock) {
    Dialect dialect;
    try {
      dialect = Dialects.detect(dataSource);
    } catch (MillraceException e) {
      return List.of(
          Check.fail(
              "database",
              String.valueOf(e.getMessage()),
              "Start the database, or correct its address, user and password."));
    }
    SqlDoctor doctor = new SqlDoctor(dataSource, dialect, intent, clock);
    doctor.examine(dialect);
    return List.copyOf(doctor.checks);
  }

  private void examine(Dialect dialect) {
    ask("database", SqlDoctor::version);
    try {
      jdbc.readTimeouts();
    } catch (StoreException e) {
      LOG.debug("The timeouts of the database are not known", e);
    }
    boolean tables = schema();
    ask("clock", this::skew);
    dialect.examine(this, tables);
    if (tables) {
      jdbc.hooks().checks().forEach(check -> ask(check.name(), check.check()));
      ask("loops", LoopDoctor::examine);
      if (!intent.retention.equals(Retention.NONE)) {
        retention();
      }
    }
  }

  private void retention() {
    try {
      checks.add(RetentionDoctor.examine(jdbc, intent.retention));
    } catch (StoreException e) {
      checks.add(failed("retention", e));
    }
  }

  Intent intent() {
    return intent;
  }

  Migrations migrations() {
    return migrations;
  }

  /** Runs a check. If the database cannot answer, the check has failed. */
  void ask(String name, SessionCheck sessionCheck) {
    try {
      checks.add(jdbc.transaction("answer the doctor", StatementTimeout.LONG, sessionCheck::ask));
    } catch (StoreException e) {
      checks.add(failed(name, e));
    }
  }

  /** Adds the result of a check. If the database cannot answer, the check has failed. */
  void add(String name, DataSourceCheck dataSourceCheck) {
    try {
      checks.add(dataSourceCheck.of(dataSource));
    } catch (SQLException e) {
      checks.add(failed(name, SqlErrors.translate("answer the doctor", e)));
    }
  }

  private static Check failed(String name, StoreException failure) {
    return Check.fail(
        name, String.valueOf(failure.getMessage()), "Look into the log of the database for why.");
  }

  private static Check version(SqlSession session) throws SQLException {
    var database = session.connection().getMetaData();
    return Check.ok(
        "database",
        database.getDatabaseProductName()
            + " "
            + database.getDatabaseProductVersion()
            + " answers.");
  }

  /** Returns true if the tables exist. */
  private boolean schema() {
    SchemaState state;
    try {
      state = SchemaState.read(jdbc, migrations);
    } catch (StoreException e) {
      checks.add(failed("schema", e));
      return false;
    }
    if (state.isCurrent()) {
      checks.add(
          Check.ok(
              "schema",
              "The tables are of the newest version: "
                  + migrations.versions(jdbc.dialect().name())
                  + "."));
      return true;
    }
    String finding = String.valueOf(state.problem().getMessage());
    if (state.isDue() && intent.schema == SchemaMode.CREATE) {
      checks.add(
          Check.warn(
              "schema",
              "The tables are missing or old.",
              "The next start makes or updates them; nothing needs to be done."));
    } else {
      checks.add(Check.fail("schema", finding, "Do what the finding says before the next start."));
    }
    return state.newer();
  }

  /**
   * Compares the clocks. Leases and timers use the database's clock, so a difference confuses
   * people but is safe.
   */
  private Check skew(SqlSession session) throws SQLException {
    Instant before = clock.instant();
    Instant there = SqlQueryStore.now(session);
    Instant after = clock.instant();
    Duration doubt = Duration.between(before, after).dividedBy(2);
    Duration skew = Duration.between(before.plus(doubt), there);
    if (skew.abs().minus(doubt).compareTo(NEAR) <= 0) {
      return Check.ok("clock", "The clocks of the database and of this machine agree.");
    }
    return Check.warn(
        "clock",
        "The clock of the database is "
            + skew.abs().toSeconds()
            + " s "
            + (skew.isNegative() ? "behind" : "ahead of")
            + " this machine's.",
        "Timers and leases go by the database's and are safe, but times in logs will not match:"
            + " synchronize both with NTP.");
  }
}
