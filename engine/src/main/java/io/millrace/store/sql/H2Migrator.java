package io.millrace.store.sql;

import io.millrace.lifecycle.EngineRuntime;
import io.millrace.store.StoreException;
import io.millrace.store.sql.SchemaHistory.AppliedMigration;
import io.millrace.store.sql.SchemaScript.SqlFailure;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies migrations to H2, where each statement that creates something commits. The rows of due
 * migrations are inserted first: they are the lock, which names the session that holds it, and they
 * tell the next start what was interrupted.
 */
final class H2Migrator {

  private static final Logger LOG = LoggerFactory.getLogger(H2Migrator.class);

  /** SQLStates of something that exists: table, index, column, sequence, view, constraint. */
  private static final Set<String> EXISTS =
      Set.of("42S01", "42S11", "42S21", "90035", "90038", "90045");

  /** Owner of begun migrations whose process reported that they failed. */
  private static final String NOBODY = "interrupted";

  /** Query for this session's name as an owner. A session's number may come again. */
  private static final String OWNER =
      """
      SELECT 'session ' || SESSION_ID || ' of ' || EXTRACT(EPOCH FROM SESSION_START) AS owner
      FROM INFORMATION_SCHEMA.SESSIONS WHERE SESSION_ID = SESSION_ID()
      """;

  /** Query for the open sessions; only an admin sees those of others. */
  private static final String ALIVE =
      """
      SELECT (SELECT COUNT(*) FROM INFORMATION_SCHEMA.SESSIONS WHERE
        'session ' || SESSION_ID || ' of ' || EXTRACT(EPOCH FROM SESSION_START) = :owner) AS alive,
        (SELECT COUNT(*) FROM INFORMATION_SCHEMA.USERS
          WHERE USER_NAME = CURRENT_USER AND IS_ADMIN) AS admin
      """;

  private static final String BEGIN =
      """
      INSERT INTO millrace_schema
        (component, version, description, checksum, applied_at, applied_by)
      VALUES (:component, :version, :description, :checksum, NULL, :owner)
      """;

  private static final String TAKE_OVER =
      """
      UPDATE millrace_schema SET applied_by = :owner
      WHERE component = ANY(CAST(:components AS varchar ARRAY)) AND applied_at IS NULL
        AND applied_by = ANY(CAST(:before AS varchar ARRAY))
      """;

  private static final String RELEASE =
      """
      UPDATE millrace_schema SET applied_by = 'interrupted'
      WHERE component = ANY(CAST(:components AS varchar ARRAY)) AND applied_at IS NULL
        AND applied_by = :owner
      """;

  private static final String FINISH =
      """
      UPDATE millrace_schema SET applied_at = CURRENT_TIMESTAMP, applied_by = CURRENT_USER
      WHERE component = :component AND version = :version
      """;

  /** The result of one try. */
  private enum Result {
    CURRENT,
    BUSY
  }

  private final Jdbc jdbc;
  private final Migrations migrations;
  private final SchemaWait wait;
  private String holder = NOBODY;

  private H2Migrator(Jdbc jdbc, Migrations migrations, SchemaWait wait) {
    this.jdbc = jdbc;
    this.migrations = migrations;
    this.wait = wait;
  }

  static void migrate(Jdbc jdbc, Migrations migrations, SchemaWait wait) {
    new H2Migrator(jdbc, migrations, wait).migrate();
  }

  private void migrate() {
    for (long reports = 1; reports <= wait.reports(); reports++) {
      ConflictBackoff backoff = new ConflictBackoff(EngineRuntime.system(), wait.report());
      do {
        if (tryOnce() == Result.CURRENT) {
          return;
        }
      } while (backoff.pause());
      if (Thread.currentThread().isInterrupted()) {
        break;
      }
      LOG.info(
          "Waiting for another process that brings {} up to date holder={}",
          migrations.tables(),
          holder);
    }
    throw SchemaErrors.waited(
        migrations,
        wait.limit(),
        holder,
        "If no process does that, run UPDATE millrace_schema SET applied_by = 'interrupted' WHERE"
            + " applied_at IS NULL, and start again; the migration is then repeated.");
  }

  private Result tryOnce() {
    return jdbc.run(
        "bring " + migrations.tables() + " up to date",
        StatementTimeout.NONE,
        session -> {
          SchemaState state = SchemaState.examine(session, migrations);
          if (state.isCurrent()) {
            return Result.CURRENT;
          }
          if (!state.isDue()) {
            throw state.problem();
          }
          if (session
              .first(session.dialect().readOnly(), Params.none(), row -> row.getBoolean(1))
              .orElse(false)) {
            throw SqlErrors.readOnly();
          }
          String owner =
              session.query(OWNER, Params.none(), row -> row.getString("owner")).getFirst();
          boolean repeated = !state.begun().isEmpty();
          if (repeated && !takeOver(session, state.begun(), owner)) {
            return Result.BUSY;
          }
          if (!begin(session, withoutRow(state), owner)) {
            release(session, owner);
            return Result.BUSY;
          }
          apply(session, owner, repeated);
          return Result.CURRENT;
        });
  }

  /** Returns the due migrations that no process has begun. */
  private static List<Migration> withoutRow(SchemaState state) {
    return state.due().stream()
        .filter(migration ->
            state.begun().stream()
                .noneMatch(row ->
                    row.component().equals(migration.component())
                        && row.version() == migration.version()))
        .toList();
  }

  /** Returns false if another session was faster. */
  private boolean begin(SqlSession session, List<Migration> due, String owner) throws SQLException {
    if (due.isEmpty()) {
      return true;
    }
    Connection connection = session.connection();
    boolean automatic = connection.getAutoCommit();
    try {
      session.execute(SchemaHistory.CREATE);
      connection.setAutoCommit(false);
      session.batch(
          BEGIN,
          due.stream().map(migration -> SchemaHistory.row(migration).set("owner", owner)).toList());
      connection.commit();
      return true;
    } catch (SQLException e) {
      if (!automatic || !connection.getAutoCommit()) {
        connection.rollback();
      }
      if (SqlErrors.isDuplicate(e) || EXISTS.contains(String.valueOf(e.getSQLState()))) {
        return false;
      }
      throw e;
    } finally {
      connection.setAutoCommit(automatic);
    }
  }

  private boolean takeOver(SqlSession session, List<AppliedMigration> begun, String owner)
      throws SQLException {
    List<String> holders = begun.stream().map(AppliedMigration::appliedBy).distinct().toList();
    for (String before : holders) {
      holder = before;
      if (!holder.equals(NOBODY) && isAlive(session)) {
        return false;
      }
    }
    int taken =
        session.update(
            TAKE_OVER, components().set("owner", owner).texts("before", holders, before -> before));
    commit(session);
    if (taken > 0) {
      LOG.warn(
          "Repeating migrations of {} that were interrupted component={} first={}",
          migrations.tables(),
          begun.getFirst().component(),
          begun.getFirst().version());
    }
    return taken > 0;
  }

  /** Returns true if the session of the holder is open, or cannot be seen. */
  private boolean isAlive(SqlSession session) throws SQLException {
    return session
        .query(
            ALIVE,
            Params.of("owner", holder),
            row -> row.getInt("alive") > 0 || row.getInt("admin") == 0)
        .getFirst();
  }

  private void apply(SqlSession session, String owner, boolean repeated) throws SQLException {
    boolean done = false;
    try {
      for (Migration migration : SchemaState.examine(session, migrations).due()) {
        LOG.info("Applying a migration of {} file={}", migrations.tables(), migration.file());
        SchemaScript.run(session, migration, failure -> repeated && wasDone(failure));
        session.update(
            FINISH,
            Params.of("component", migration.component()).set("version", migration.version()));
        commit(session);
      }
      done = true;
    } finally {
      if (!done) {
        release(session, owner);
      }
    }
  }

  /** Returns true if a statement failed because it had been executed before the interruption. */
  private static boolean wasDone(SqlFailure failure) {
    String sql = failure.sql().toUpperCase(Locale.ROOT);
    return (sql.startsWith("CREATE") || sql.startsWith("ALTER TABLE"))
        && EXISTS.contains(String.valueOf(failure.error().getSQLState()));
  }

  private Params components() {
    return Params.none().texts("components", migrations.components(), name -> name);
  }

  /** Lets the next start repeat the migration while this session is open. */
  private void release(SqlSession session, String owner) {
    try {
      session.update(RELEASE, components().set("owner", owner));
      commit(session);
    } catch (SQLException | StoreException e) {
      LOG.debug("The migration stays marked as begun until its session ends", e);
    }
  }

  private static void commit(SqlSession session) throws SQLException {
    if (!session.connection().getAutoCommit()) {
      session.connection().commit();
    }
  }
}
