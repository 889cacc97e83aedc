package io.millrace.store.sql;

import io.millrace.instance.DrainRequest;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.ExecutorState;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StopReason;
import io.millrace.store.AuditEntryFactory;
import io.millrace.store.ExecutorStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The executors and their recovery in SQL. */
final class SqlExecutorStore implements ExecutorStore {

  /** Condition for an executor whose leases have expired. */
  static final String DEAD =
      "(e.expires_at < :now OR (e.stopped_at IS NOT NULL AND e.expires_at <= :now))";

  private static final String REGISTER =
      """
      INSERT INTO millrace_executor
        (host, pid, executor_group, definition_ids, version, node_name,
         process_started_at, drain_grace_micros,
         started_at, heartbeat_at, expires_at)
      VALUES (:host, :pid, :executorGroup, :definitionIds, :version, :nodeName,
        CAST(CAST(:processStarted AS varchar) AS timestamp with time zone), :drainGrace,
        :now, :now, :now + CAST(:ttl AS bigint) * INTERVAL '0.000001' SECOND)
      """;

  /** Condition for rows that this process has registered, and for ids that it did not register. */
  private static final String OWN_ROW =
      "(CAST(:incarnation AS varchar) IS NULL OR incarnation = :incarnation)";

  private static final String LOCAL =
      """
      SELECT id, pid FROM millrace_executor
      WHERE host = :host AND stopped_at IS NULL AND recovered_at IS NULL AND expires_at >= :now
      """;

  private static final String END_LEASES =
      """
      UPDATE millrace_executor SET expires_at = :now - INTERVAL '0.001' SECOND
      WHERE id = ANY(CAST(:ids AS bigint ARRAY))
      """;

  private static final String RENEW =
      """
      UPDATE millrace_executor SET heartbeat_at = :now, recovered_at = NULL,
        expires_at = :now + CAST(:ttl AS bigint) * INTERVAL '0.000001' SECOND,
        running_handlers = :runningHandlers, concurrency = :concurrency, leased_count = :held,
        queued_count = :queued, heap_percent = CAST(:heapPercent AS integer)
      WHERE id = :id AND OWN_ROW
      """
          .replace("OWN_ROW", OWN_ROW);

  private static final String[] REGISTERED = {"id", "incarnation"};

  private static final String[] RENEWED = {
    "state",
    "heartbeat_at",
    "drain_requested_at",
    "drain_requested_by",
    "drain_reason",
    "drain_deadline_at"
  };

  private static final String UPDATE_DEFINITIONS =
      """
      UPDATE millrace_executor SET definition_ids = :definitionIds WHERE id = :id AND OWN_ROW
      """
          .replace("OWN_ROW", OWN_ROW);

  private static final String LOOP_FAILURES =
      """
      UPDATE millrace_executor SET loop_failures = :failures WHERE id = :id AND OWN_ROW
      """
          .replace("OWN_ROW", OWN_ROW);

  private static final String READY =
      """
      UPDATE millrace_executor SET ready_at = COALESCE(ready_at, :now), warm = :warm,
        setup_micros = COALESCE(setup_micros, CAST(:setup AS bigint))
      WHERE id = :id AND OWN_ROW
      """
          .replace("OWN_ROW", OWN_ROW);

  private static final String CHANGE_STATE =
      """
      UPDATE millrace_executor SET state = :goal
      WHERE id = :id AND stopped_at IS NULL AND state IN SOURCES
      """;

  private static final String CORDON =
      CHANGE_STATE.replace("SOURCES", sources(ExecutorState.Event.CORDON));

  private static final String UNCORDON =
      CHANGE_STATE.replace("SOURCES", sources(ExecutorState.Event.UNCORDON));

  private static final String DRAIN =
      """
      UPDATE millrace_executor SET state = :goal,
        drain_requested_at = :now, drain_requested_by = :by, drain_reason = :reason,
        drain_deadline_at = :now
          + COALESCE(CAST(:grace AS bigint), drain_grace_micros) * INTERVAL '0.000001' SECOND
      WHERE id = :id AND stopped_at IS NULL AND state IN SOURCES
      """
          .replace("SOURCES", sources(ExecutorState.Event.DRAIN));

  private static final String STOPPING = DRAIN + "AND " + OWN_ROW;

  private static final String STATE =
      "SELECT state FROM millrace_executor WHERE id = :id AND stopped_at IS NULL";

  private static final String OWNED =
      """
      SELECT w.id, w.lease_version FROM millrace_instance w
      WHERE w.executor_id = :id
        AND (CAST(:incarnation AS varchar) IS NULL OR EXISTS (
          SELECT 1 FROM millrace_executor e WHERE e.id = :id AND e.incarnation = :incarnation))
      """;

  private static final String STOP =
      """
      UPDATE millrace_executor SET stopped_at = :now, expires_at = :now, state = :goal
      WHERE id = :id AND OWN_ROW
      """
          .replace("OWN_ROW", OWN_ROW);

  private static final String LIST =
      """
      SELECT COLUMNS FROM millrace_executor
      WHERE executor_group = :executorGroup ORDER BY id DESC
      """
          .replace("COLUMNS", RowMappers.EXECUTOR.strip());

  private static final String ALL =
      """
      SELECT COLUMNS FROM millrace_executor
      WHERE COALESCE(stopped_at, recovered_at, :now)
        >= :now - CAST(:gone AS bigint) * INTERVAL '0.000001' SECOND
      ORDER BY id DESC
      """
          .replace("COLUMNS", RowMappers.EXECUTOR.strip());

  private record Registration(long id, String incarnation) {
    static Registration read(ResultSet row) throws SQLException {
      return new Registration(row.getLong("id"), row.getString("incarnation"));
    }
  }

  private final Jdbc jdbc;
  private final ExecutorOwnership ownership;

  /**
   * Incarnations by the ids that were registered here; a restored sequence may assign an id again.
   */
  private final Map<Long, String> incarnations = new ConcurrentHashMap<>();

  SqlExecutorStore(Jdbc jdbc) {
    this.jdbc = jdbc;
    this.ownership = new ExecutorOwnership(jdbc.hooks().owned());
  }

  @Override
  public long register(ExecutorInfo.Identity identity, Duration ttl) {
    Params params =
        Params.of("host", ColumnTexts.host(identity.host()))
            .set("pid", identity.pid())
            .set("executorGroup", identity.executorGroup())
            .set("definitionIds", RowMappers.joinIds(identity.definitionIds()))
            .set("version", identity.version())
            .set("nodeName", ColumnTexts.host(identity.node().name()))
            .set("processStarted", text(identity.node().processStarted()))
            .set("drainGrace", ColumnTimes.micros(identity.node().drainGrace()))
            .set("ttl", ColumnTimes.micros(ttl));
    Registration registered =
        jdbc.transaction(
            "register an executor",
            session -> {
              if (jdbc.dialect().usersOnOneMachine()) {
                endLeasesOfDeadProcesses(session, identity.host());
              }
              return session
                  .changed(REGISTER, params, REGISTERED, Registration::read)
                  .orElseThrow();
            });
    incarnations.put(registered.id, registered.incarnation);
    return registered.id;
  }

  /** Returns the parameters of a statement that changes the executor's own row only. */
  private Params own(long executorId) {
    return Params.of("id", executorId).set("incarnation", incarnations.get(executorId));
  }

  private static @Nullable String text(@Nullable Instant time) {
    return time == null ? null : ColumnTimes.text(time);
  }

  private static void endLeasesOfDeadProcesses(SqlSession session, String host)
      throws SQLException {
    List<Long> dead = new ArrayList<>();
    session.forEachRow(
        LOCAL,
        Params.of("host", ColumnTexts.host(host)),
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
        own(executorId)
            .set("ttl", ColumnTimes.micros(ttl))
            .set("runningHandlers", load.runningHandlers())
            .set("concurrency", load.concurrency())
            .set("held", load.held())
            .set("queued", load.queued())
            .set("heapPercent", load.heapPercent());
    return jdbc.run(
        "renew a lease",
        StatementTimeout.within(ttl),
        session ->
            session
                .changed(RENEW, params, RENEWED, SqlExecutorStore::renewal)
                .orElse(Renewal.GONE));
  }

  /**
   * Returns the result of a renewal, all by the database's clock, which has just written {@code
   * heartbeat_at}.
   */
  private static Renewal renewal(ResultSet row) throws SQLException {
    ExecutorInfo.Drain drain = RowMappers.drain(row);
    ExecutorState state = ExecutorState.of(row.getString("state"));
    if (drain == null) {
      return new Renewal(true, state, null);
    }
    Duration left = Duration.between(ColumnTimes.read(row, "heartbeat_at"), drain.deadline());
    return new Renewal(
        true,
        state,
        new PendingDrain(drain.by(), drain.reason(), left.isNegative() ? Duration.ZERO : left));
  }

  @Override
  public void updateDefinitions(long executorId, List<Integer> definitionIds) {
    jdbc.run(
        "update definitions",
        session ->
            session.update(
                UPDATE_DEFINITIONS,
                own(executorId).set("definitionIds", RowMappers.joinIds(definitionIds))));
  }

  @Override
  public void reportLoopFailures(long executorId, String failures) {
    Params params = own(executorId).set("failures", ColumnTexts.whole(failures));
    jdbc.run("report loop failures", session -> session.update(LOOP_FAILURES, params));
  }

  @Override
  public void markReady(long executorId, boolean warm, Duration setup) {
    Params params = own(executorId).set("warm", warm).set("setup", ColumnTimes.micros(setup));
    jdbc.run("call an executor ready", session -> session.update(READY, params));
  }

  @Override
  public boolean cordon(long executorId, OperatorAction action) {
    return steer(executorId, ExecutorState.Event.CORDON, CORDON, Params.none(), action);
  }

  @Override
  public boolean uncordon(long executorId, OperatorAction action) {
    return steer(executorId, ExecutorState.Event.UNCORDON, UNCORDON, Params.none(), action);
  }

  @Override
  public boolean requestDrain(long executorId, DrainRequest request, OperatorAction action) {
    return steer(
        executorId,
        ExecutorState.Event.DRAIN,
        DRAIN,
        drainParams(request.reason(), request.grace(), action.actor()),
        action);
  }

  @Override
  public void recordStopping(long executorId, StopReason reason, Duration left, String by) {
    Params params =
        drainParams(reason, left, by)
            .set("id", executorId)
            .set("incarnation", incarnations.get(executorId))
            .set("goal", ExecutorState.goal(ExecutorState.Event.DRAIN).name());
    jdbc.run("record that an executor stops", session -> session.update(STOPPING, params));
  }

  private static Params drainParams(StopReason reason, @Nullable Duration grace, String by) {
    return Params.of("by", ColumnTexts.actor(by))
        .set("reason", reason.name())
        .set("grace", grace == null ? null : ColumnTimes.micros(grace));
  }

  /**
   * Applies an event to an executor. Returns true also if the executor was already in the state to
   * which the event leads.
   */
  private boolean steer(
      long executorId,
      ExecutorState.Event event,
      String sql,
      Params params,
      OperatorAction action) {
    ExecutorState goal = ExecutorState.goal(event);
    params.set("id", executorId).set("goal", goal.name());
    return jdbc.transaction(
        "ask an executor to " + event.name().toLowerCase(Locale.ROOT),
        session -> {
          if (session.update(sql, params) == 0) {
            return session
                .first(STATE, Params.of("id", executorId), row -> row.getString("state"))
                .filter(goal.name()::equals)
                .isPresent();
          }
          SqlAuditStore.insert(session, AuditEntryFactory.of(executorId, event, action), null);
          return true;
        });
  }

  private static String sources(ExecutorState.Event event) {
    return ExecutorState.sources(event).stream()
        .map(state -> "'" + state.name() + "'")
        .collect(Collectors.joining(", ", "(", ")"));
  }

  @Override
  public Map<Long, Integer> ownedInstances(long executorId) {
    return jdbc.run(
        "list owned instances",
        StatementTimeout.URGENT,
        session -> {
          Map<Long, Integer> versions = new TreeMap<>();
          session.forEachRow(
              OWNED,
              own(executorId),
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
                ownership.expired(),
                Params.of("executorGroup", executorGroup),
                row -> row.getLong("id")));
  }

  @Override
  public List<Long> recoveredOwners(String executorGroup) {
    return jdbc.run(
        "list forgotten executors",
        StatementTimeout.LONG,
        session ->
            session.query(
                ownership.forgotten(),
                Params.of("executorGroup", executorGroup),
                row -> row.getLong("executor_id")));
  }

  @Override
  public List<Recovered> recover(
      long deadExecutorId, long byExecutorId, int limit, int maxRecoveries) {
    return jdbc.transaction(
        "recover instances",
        session ->
            ExecutorRecovery.recover(session, deadExecutorId, byExecutorId, limit, maxRecoveries));
  }

  @Override
  public void markStopped(long executorId) {
    Params params = own(executorId).set("goal", ExecutorState.goal(ExecutorState.Event.END).name());
    boolean known = incarnations.containsKey(executorId);
    jdbc.transaction(
        "stop an executor",
        session -> {
          if (session.update(STOP, params) > 0 || !known) {
            session.hooks().executorStopped(session, executorId);
          }
          return executorId;
        });
  }

  @Override
  public List<ExecutorInfo> list(String executorGroup) {
    return jdbc.run(
        "list executors",
        session ->
            session.query(LIST, Params.of("executorGroup", executorGroup), RowMappers::executor));
  }

  @Override
  public List<ExecutorInfo> all(Duration gone) {
    return jdbc.run(
        "list executors",
        session ->
            session.query(ALL, Params.of("gone", ColumnTimes.micros(gone)), RowMappers::executor));
  }
}
