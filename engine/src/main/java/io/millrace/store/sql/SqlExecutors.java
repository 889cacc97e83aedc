package io.millrace.store.sql;

import io.millrace.instance.Deed;
import io.millrace.instance.ExecutorInfo;
import io.millrace.store.AuditTrail;
import io.millrace.store.ExecutorStore;
import io.millrace.store.Fingerprint;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Executors and recovery. */
final class SqlExecutors implements ExecutorStore {

  private static final String EXPIRES = ":now + CAST(:ttl AS bigint) * INTERVAL '0.000001' SECOND";

  /** An executor's leases have ended. */
  private static final String DEAD =
      "(e.expires < :now OR (e.stopped IS NOT NULL AND e.expires <= :now))";

  /**
   * A scalar subquery looks into the index once for each executor; EXISTS may read all instances.
   */
  static final String OWNS =
      "(SELECT w.id FROM millrace_workflow w WHERE w.executor_id = e.id LIMIT 1) IS NOT NULL";

  private static final String REGISTER =
      """
      INSERT INTO millrace_executor
        (host, pid, executor_group, definition_ids, version, started, active, expires)
      VALUES (:host, :pid, :executorGroup, :definitionIds, :version, :now, :now,
      """
          + EXPIRES
          + ")";

  private static final String LOCAL =
      """
      SELECT id, pid FROM millrace_executor
      WHERE host = :host AND stopped IS NULL AND recovered IS NULL AND expires >= :now
      """;

  private static final String END_LEASES =
      """
      UPDATE millrace_executor SET expires = :now - INTERVAL '0.001' SECOND
      WHERE id = ANY(CAST(:ids AS bigint ARRAY))
      """;

  private static final String RENEW =
      "UPDATE millrace_executor SET active = :now, recovered = NULL, expires = "
          + EXPIRES
          + """
          , running = :running, concurrency = :concurrency, held = :held, queued = :queued
          WHERE id = :id
          """;

  private static final String ANNOUNCE =
      "UPDATE millrace_executor SET definition_ids = :definitionIds WHERE id = :id";

  private static final String REQUEST_DRAIN =
      """
      UPDATE millrace_executor SET drain_requested = :now, drain_by = :by
      WHERE id = :id AND stopped IS NULL AND drain_requested IS NULL
      """;

  private static final String ASKED =
      "SELECT id FROM millrace_executor WHERE id = :id AND stopped IS NULL";

  private static final String OWNED =
      "SELECT id, lease_version FROM millrace_workflow WHERE executor_id = :id";

  /**
   * One that has stopped or was recovered may have left a row behind; that must not be forgotten.
   */
  private static final String EXPIRED =
      "SELECT e.id FROM millrace_executor e WHERE e.executor_group = :executorGroup AND "
          + DEAD
          + " AND ((e.stopped IS NULL AND e.recovered IS NULL) OR "
          + OWNS
          + ") ORDER BY e.id";

  /** Reads the index of owners from end to end, with all that a long transaction keeps in it. */
  private static final String FORGOTTEN =
      """
      SELECT DISTINCT w.executor_id FROM millrace_workflow w
      WHERE w.executor_id > 0 AND w.executor_group = :executorGroup
        AND NOT EXISTS (SELECT 1 FROM millrace_executor e WHERE e.id = w.executor_id)
      ORDER BY 1
      """;

  private static final String LOCK =
      "SELECT e.host, CASE WHEN "
          + DEAD
          + " THEN TRUE ELSE FALSE END AS dead FROM millrace_executor e WHERE e.id = :dead FOR UPDATE";

  /**
   * Not in the order of ids: that could be read from the primary key, through all rows of all
   * others.
   */
  private static final String PAGE =
      "SELECT id, type, state, recoveries FROM millrace_workflow WHERE executor_id = :dead LIMIT :limit";

  private static final String TAKE =
      """
      UPDATE millrace_workflow SET
        executor_id = NULL,
        seq = seq + 1,
        recoveries = recoveries + 1,
        status = CASE WHEN recoveries + 1 >= :maxRecoveries THEN 'manual' ELSE status END,
        reason = CASE WHEN recoveries + 1 >= :maxRecoveries THEN CAST(:parked AS varchar)
                      ELSE CAST(:reason AS varchar) END,
        wake_at = NULL,
        next_activation = :now,
        modified = :now
      WHERE id = ANY(CAST(:ids AS bigint ARRAY))
      """;

  private static final String TAKE_ACTIONS =
      """
      INSERT INTO millrace_workflow_action (workflow_id, seq, type, from_state, to_state, reason,
        executor_id, lease_version, attempt, started, ended)
      SELECT id, seq, 'recovery', state, state, reason, :by, lease_version, 0, modified, modified
      FROM millrace_workflow WHERE id = ANY(CAST(:ids AS bigint ARRAY))
      """;

  private static final String DONE =
      "UPDATE millrace_executor SET recovered = :now WHERE id = :dead AND recovered IS NULL"
          + " AND NOT EXISTS (SELECT 1 FROM millrace_workflow w WHERE w.executor_id = :dead)";

  private static final String STOP =
      "UPDATE millrace_executor SET stopped = :now, expires = :now WHERE id = :id";

  private static final String LIST =
      """
      SELECT id, host, pid, executor_group, definition_ids, version, started, active, expires,
        stopped, recovered, running, concurrency, held, queued, drain_requested, drain_by
      FROM millrace_executor WHERE executor_group = :executorGroup ORDER BY id DESC
      """;

  private static final String ALL =
      """
      SELECT id, host, pid, executor_group, definition_ids, version, started, active, expires,
        stopped, recovered, running, concurrency, held, queued, drain_requested, drain_by
      FROM millrace_executor
      WHERE COALESCE(stopped, recovered, :now)
        >= :now - CAST(:gone AS bigint) * INTERVAL '0.000001' SECOND
      ORDER BY id DESC
      """;

  private record Owned(long id, String type, String state, int recoveries) {
    static Owned read(ResultSet row) throws SQLException {
      return new Owned(
          row.getLong("id"),
          row.getString("type"),
          row.getString("state"),
          row.getInt("recoveries"));
    }

    boolean parks(int maxRecoveries) {
      return recoveries + 1 >= maxRecoveries;
    }
  }

  private final Jdbc jdbc;

  SqlExecutors(Jdbc jdbc) {
    this.jdbc = jdbc;
  }

  @Override
  public long register(ExecutorInfo.Identity identity, Duration ttl) {
    Params params =
        Params.of("host", Texts.host(identity.host()))
            .set("pid", identity.pid())
            .set("executorGroup", identity.executorGroup())
            .set("definitionIds", Rows.joinIds(identity.definitionIds()))
            .set("version", identity.version())
            .set("ttl", Times.micros(ttl));
    return jdbc.transaction(
        "register an executor",
        session -> {
          if (jdbc.dialect().embedded()) {
            endLeasesOfDeadProcesses(session, identity.host());
          }
          return session.insert(REGISTER, params);
        });
  }

  private static void endLeasesOfDeadProcesses(Session session, String host) throws SQLException {
    List<Long> dead = new ArrayList<>();
    session.visit(
        LOCAL,
        Params.of("host", Texts.host(host)),
        row -> {
          if (ProcessHandle.of(row.getLong("pid")).isEmpty()) {
            dead.add(row.getLong("id"));
          }
        });
    if (!dead.isEmpty()) {
      session.update(END_LEASES, Params.none().longs("ids", dead));
    }
  }

  @Override
  public Renewal renew(long executorId, Duration ttl, ExecutorInfo.Load load) {
    Params params =
        Params.of("id", executorId)
            .set("ttl", Times.micros(ttl))
            .set("running", load.running())
            .set("concurrency", load.concurrency())
            .set("held", load.held())
            .set("queued", load.queued());
    return jdbc.run(
        "renew a lease",
        Limit.within(ttl),
        session ->
            session
                .changed(RENEW, params, "drain_by", row -> new Renewal(true, row.getString(1)))
                .orElse(new Renewal(false, null)));
  }

  @Override
  public void announce(long executorId, List<Integer> definitionIds) {
    jdbc.run(
        "announce definitions",
        session ->
            session.update(
                ANNOUNCE,
                Params.of("id", executorId).set("definitionIds", Rows.joinIds(definitionIds))));
  }

  @Override
  public boolean requestDrain(long executorId, Deed deed) {
    Params params = Params.of("id", executorId).set("by", Texts.actor(deed.actor()));
    return jdbc.transaction(
        "ask an executor to stop",
        session -> {
          if (session.update(REQUEST_DRAIN, params) == 0) {
            return session.first(ASKED, params, row -> row.getLong("id")).isPresent();
          }
          SqlAudit.insert(session, AuditTrail.ofDrain(executorId, deed), null);
          return true;
        });
  }

  @Override
  public Map<Long, Integer> owned(long executorId) {
    return jdbc.run(
        "list owned instances",
        Limit.URGENT,
        session -> {
          Map<Long, Integer> versions = new TreeMap<>();
          session.visit(
              OWNED,
              Params.of("id", executorId),
              row -> versions.put(row.getLong("id"), row.getInt("lease_version")));
          return versions;
        });
  }

  @Override
  public List<Long> expired(String executorGroup) {
    return jdbc.run(
        "list expired executors",
        session ->
            session.query(
                EXPIRED, Params.of("executorGroup", executorGroup), row -> row.getLong("id")));
  }

  @Override
  public List<Long> forgotten(String executorGroup) {
    return jdbc.run(
        "list forgotten executors",
        Limit.LONG,
        session ->
            session.query(
                FORGOTTEN,
                Params.of("executorGroup", executorGroup),
                row -> row.getLong("executor_id")));
  }

  @Override
  public List<Recovered> recover(
      long deadExecutorId, long byExecutorId, int limit, int maxRecoveries) {
    return jdbc.transaction(
        "recover instances",
        session -> {
          Params dead = Params.of("dead", deadExecutorId).set("limit", limit);
          Optional<Holder> holder =
              session.first(
                  LOCK, dead, row -> new Holder(row.getString("host"), row.getBoolean("dead")));
          if (holder.isPresent() && !holder.get().dead) {
            return List.of();
          }
          List<Owned> page = session.query(PAGE + jdbc.dialect().lockFree(), dead, Owned::read);
          if (!page.isEmpty()) {
            String host = holder.map(Holder::host).orElse("a machine that is forgotten");
            String who = "Executor " + deadExecutorId + " on " + host;
            take(session, page, params(who, byExecutorId, maxRecoveries));
            Failures.write(session, parked(page, maxRecoveries));
          }
          if (page.size() < limit) {
            session.update(DONE, dead);
          }
          return page.stream()
              .map(owned -> new Recovered(owned.id, owned.parks(maxRecoveries)))
              .toList();
        });
  }

  private static Map<Long, String> parked(List<Owned> page, int maxRecoveries) {
    return page.stream()
        .filter(owned -> owned.parks(maxRecoveries))
        .collect(
            Collectors.toMap(Owned::id, owned -> Fingerprint.ofDeaths(owned.type, owned.state)));
  }

  private record Holder(String host, boolean dead) {}

  private static Params params(String who, long byExecutorId, int maxRecoveries) {
    return Params.of("by", byExecutorId)
        .set("maxRecoveries", maxRecoveries)
        .set("reason", who + " died while it held this instance.")
        .set(
            "parked",
            who
                + " died while it held this instance, the last of "
                + maxRecoveries
                + " in a row. Parked, since the instance may be the cause.");
  }

  private static void take(Session session, List<Owned> page, Params params) throws SQLException {
    params.longs("ids", page, Owned::id);
    session.update(TAKE, params);
    session.update(TAKE_ACTIONS, params);
  }

  @Override
  public void stop(long executorId) {
    jdbc.run("stop an executor", session -> session.update(STOP, Params.of("id", executorId)));
  }

  @Override
  public List<ExecutorInfo> list(String executorGroup) {
    return jdbc.run(
        "list executors",
        session -> session.query(LIST, Params.of("executorGroup", executorGroup), Rows::executor));
  }

  @Override
  public List<ExecutorInfo> all(Duration gone) {
    return jdbc.run(
        "list executors",
        session -> session.query(ALL, Params.of("gone", Times.micros(gone)), Rows::executor));
  }
}
