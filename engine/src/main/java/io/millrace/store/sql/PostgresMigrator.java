package io.millrace.store.sql;

import io.millrace.store.StoreException;
import java.sql.SQLException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies migrations to PostgreSQL: all that are due in one transaction, under a lock that ends
 * with it. So a failure changes nothing, one connection is enough, and a pooler may stand between.
 */
final class PostgresMigrator {

  private static final Logger LOG = LoggerFactory.getLogger(PostgresMigrator.class);

  /** SQLState of a lock that was not granted in time. */
  private static final String LOCK_TIMEOUT = "55P03";

  /** Statement that makes the state visible that the previous holder of the lock committed. */
  private static final String READ_COMMITTED = "SET TRANSACTION ISOLATION LEVEL READ COMMITTED";

  private static final String LOCK =
      """
      SELECT 1 AS locked FROM (SELECT pg_advisory_xact_lock(
        HASHTEXT('millrace_schema'), HASHTEXT(CURRENT_SCHEMA()))) AS waited
      """;

  private static final String HOLDER =
      """
      SELECT a.pid, COALESCE(a.usename, '') AS user_name, a.application_name,
        COALESCE(HOST(a.client_addr), 'an unknown address') AS address
      FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
      WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 2
        AND l.database = (SELECT oid FROM pg_database WHERE datname = CURRENT_DATABASE())
        AND CAST(CAST(l.classid AS bigint) AS bit(32))
          = CAST(CAST(HASHTEXT('millrace_schema') AS bigint) AS bit(32))
        AND CAST(CAST(l.objid AS bigint) AS bit(32))
          = CAST(CAST(HASHTEXT(CURRENT_SCHEMA()) AS bigint) AS bit(32))
      """;

  /** Statement after which no other schema of the search path is looked into. */
  private static final String OWN_SCHEMA =
      "SELECT SET_CONFIG('search_path', QUOTE_IDENT(CURRENT_SCHEMA()), TRUE) AS search_path";

  private static final String RIGHT =
      """
      SELECT CURRENT_USER AS user_name, CURRENT_SCHEMA() AS schema_name,
        HAS_SCHEMA_PRIVILEGE(CURRENT_SCHEMA(), 'CREATE') AS may_create
      """;

  private PostgresMigrator() {}

  static void migrate(Jdbc jdbc, Migrations migrations, SchemaWait wait) {
    jdbc.readTimeouts();
    String action = "bring " + migrations.tables() + " up to date";
    for (long reports = 1; ; reports++) {
      if (jdbc.transaction(
          action, StatementTimeout.NONE, session -> tryOnce(session, migrations, wait))) {
        return;
      }
      String holder = holder(jdbc);
      if (reports >= wait.reports()) {
        throw SchemaErrors.waited(
            migrations,
            wait.limit(),
            holder,
            "If it is stuck, end its session with pg_terminate_backend, and start again.");
      }
      LOG.info(
          "Waiting for another process that brings {} up to date holder={}",
          migrations.tables(),
          holder);
    }
  }

  /** Returns false if another transaction has kept the lock. */
  private static boolean tryOnce(SqlSession session, Migrations migrations, SchemaWait wait)
      throws SQLException {
    session.execute(READ_COMMITTED);
    if (session
        .first(session.dialect().readOnly(), Params.none(), row -> row.getBoolean("read_only"))
        .orElse(false)) {
      throw SqlErrors.readOnly();
    }
    if (!lock(session, wait)) {
      return false;
    }
    SchemaState state = SchemaState.examine(session, migrations);
    if (state.isCurrent()) {
      return true;
    }
    if (!state.isDue()) {
      throw state.problem();
    }
    session.query(OWN_SCHEMA, Params.none(), row -> row.getString("search_path"));
    Optional<StoreException> problem =
        session
            .query(
                RIGHT,
                Params.none(),
                row ->
                    row.getBoolean("may_create")
                        ? Optional.<StoreException>empty()
                        : Optional.of(
                            SchemaErrors.mayNotCreate(
                                migrations,
                                session.dialect().name(),
                                row.getString("user_name"),
                                row.getString("schema_name"))))
            .getFirst();
    if (problem.isPresent()) {
      throw problem.get();
    }
    session.execute(SchemaHistory.CREATE);
    for (Migration migration : state.due()) {
      LOG.info("Applying a migration of {} file={}", migrations.tables(), migration.file());
      SchemaScript.run(session, migration, error -> false);
      session.update(SchemaHistory.INSERT, SchemaHistory.row(migration));
    }
    return true;
  }

  private static boolean lock(SqlSession session, SchemaWait wait) throws SQLException {
    session.execute("SET LOCAL lock_timeout = " + wait.report().toMillis());
    try {
      session.query(LOCK, Params.none(), row -> row.getInt("locked"));
    } catch (SQLException e) {
      if (LOCK_TIMEOUT.equals(e.getSQLState())) {
        session.connection().rollback();
        return false;
      }
      throw e;
    }
    session.execute("SET LOCAL lock_timeout = 0");
    return true;
  }

  private static String holder(Jdbc jdbc) {
    return jdbc.run(
        "show who holds a lock",
        session ->
            session
                .first(
                    HOLDER,
                    Params.none(),
                    row ->
                        "process %s of user '%s' at %s (application '%s')"
                            .formatted(
                                row.getInt("pid"),
                                row.getString("user_name"),
                                row.getString("address"),
                                row.getString("application_name")))
                .orElse("a session that has ended since"));
  }
}
