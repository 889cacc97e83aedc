package io.millrace.store.sql;

import io.millrace.instance.OperatorAction;
import io.millrace.store.AuditEntryFactory;
import io.millrace.store.ContinuousStore.LogEntryType;
import io.millrace.store.ContinuousStore.Owner;
import io.millrace.store.ContinuousStore.Registration;
import io.millrace.store.RunStartCodes;
import io.millrace.store.StoredContinuousWorkflow.Identity;
import io.millrace.store.StoredContinuousWorkflow.OwnerRequest;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A writer of registrations by code and requests by operators for continuous workflows. */
final class ContinuousRequests {

  private static final String IDENTITIES =
      "SELECT name, executor_group, type, settings FROM millrace_continuous_workflow"
          + ContinuousRowReader.NAMED;

  private static final String INSERT =
      """
      INSERT INTO millrace_continuous_workflow (name, executor_group, type, settings, enabled, enable_count,
        start_mode, start_reason, down_since, log_seq, created_at, modified_at)
      SELECT d.name, d.executor_group, d.type, d.settings, d.enabled,
        CASE WHEN d.enabled = TRUE THEN 1 ELSE 0 END,
        CASE WHEN d.enabled = TRUE THEN 'AUTO' END, CASE WHEN d.enabled = TRUE THEN 'DEPLOY' END,
        CASE WHEN d.enabled = TRUE THEN d.now END, CASE WHEN d.enabled = TRUE THEN 1 ELSE 0 END,
        d.now, d.now
      FROM (SELECT v.*, (SELECT :now) AS now
            FROM UNNEST(CAST(:names AS varchar ARRAY), CAST(:groups AS varchar ARRAY),
              CAST(:types AS varchar ARRAY), CAST(:settings AS text ARRAY),
              CAST(:enabled AS boolean ARRAY))
              AS v(name, executor_group, type, settings, enabled)) d
      ORDER BY d.name
      """
          .replace("'AUTO'", "'" + RunStartCodes.AUTO + "'")
          .replace("'DEPLOY'", "'" + RunStartCodes.DEPLOY + "'");

  private static final String REPLACE =
      """
      MERGE INTO millrace_continuous_workflow a USING (
        SELECT v.*, (SELECT :now) AS now
        FROM UNNEST(CAST(:names AS varchar ARRAY), CAST(:groups AS varchar ARRAY),
          CAST(:types AS varchar ARRAY), CAST(:settings AS text ARRAY))
          AS v(name, executor_group, type, settings)\
      """
          + Params.EXPECT_FEW
          + """
          ) d ON (a.name = d.name)
          WHEN MATCHED THEN UPDATE SET executor_group = d.executor_group, type = d.type,
            settings = d.settings, revision = a.revision + 1, modified_at = d.now,
            attention = CASE WHEN a.executor_id IS NULL THEN FALSE ELSE TRUE END
          """;

  private static final String DELETE =
      "DELETE FROM millrace_continuous_workflow" + ContinuousRowReader.NAMED;

  /**
   * Update that enables a workflow. An owner that has not yet noticed that it must stop releases
   * the run for the new series.
   */
  private static final String ENABLE =
      """
      UPDATE millrace_continuous_workflow SET enabled = TRUE, enable_count = enable_count + 1,
        start_mode = 'HAND', start_reason = 'BY_HAND',
        request = CASE WHEN executor_id IS NULL THEN NULL ELSE 'RESTART' END,
        attention = CASE WHEN executor_id IS NULL THEN FALSE ELSE TRUE END,
        failure_count = 0, crash_loop = FALSE, error = NULL, backoff_until = NULL,
        down_since = CASE WHEN executor_id IS NULL THEN :now END,
        revision = revision + 1, log_seq = log_seq + 1, modified_at = :now
      """
              .replace("'HAND'", "'" + RunStartCodes.MANUAL + "'")
              .replace("'BY_HAND'", "'" + RunStartCodes.MANUAL_REASON + "'")
          + ContinuousRowReader.NAMED;

  private static final String DISABLE =
      """
      UPDATE millrace_continuous_workflow SET enabled = FALSE, start_mode = NULL, start_reason = NULL,
        request = NULL, preferred_executor_id = NULL, failure_count = 0, crash_loop = FALSE, backoff_until = NULL,
        attention = CASE WHEN executor_id IS NULL THEN FALSE ELSE TRUE END, down_since = NULL,
        revision = revision + 1, log_seq = log_seq + 1, modified_at = :now
      """
          + ContinuousRowReader.NAMED;

  /**
   * Update that stores a request to the owner. Without an owner, the requested state holds at once.
   */
  private static final String ASK =
      """
      UPDATE millrace_continuous_workflow SET
        request = CASE WHEN executor_id IS NULL THEN NULL ELSE CAST(:request AS varchar) END,
        attention = CASE WHEN executor_id IS NULL THEN FALSE ELSE TRUE END,
        preferred_executor_id = CASE WHEN CAST(:moves AS boolean) THEN CAST(:preferred AS bigint)
          ELSE preferred_executor_id END,
        start_mode = CASE WHEN CAST(:restarts AS boolean) AND enabled = TRUE THEN 'HAND'
          ELSE start_mode END,
        start_reason = CASE WHEN CAST(:restarts AS boolean) AND enabled = TRUE THEN 'BY_HAND'
          ELSE start_reason END,
        backoff_until = CASE WHEN CAST(:restarts AS boolean) THEN NULL ELSE backoff_until END,
        failure_count = CASE WHEN CAST(:restarts AS boolean) THEN 0 ELSE failure_count END,
        crash_loop = CASE WHEN CAST(:restarts AS boolean) THEN FALSE ELSE crash_loop END,
        revision = revision + 1, modified_at = :now
      """
              .replace("'HAND'", "'" + RunStartCodes.MANUAL + "'")
              .replace("'BY_HAND'", "'" + RunStartCodes.MANUAL_REASON + "'")
          + ContinuousRowReader.NAMED;

  private static final String DEBUGGED =
      "SELECT CASE WHEN debug_until > :now THEN TRUE ELSE FALSE END AS debugged"
          + " FROM millrace_continuous_workflow"
          + ContinuousRowReader.NAMED;

  private static final String DEBUG =
      """
      UPDATE millrace_continuous_workflow SET debug_by = :by,
        debug_until = :now + CAST(:limit AS bigint) * INTERVAL '0.000001' SECOND,
        log_seq = log_seq + :entries, revision = revision + :entries, modified_at = :now
      """
          + ContinuousRowReader.NAMED;

  private static final String END_DEBUG =
      """
      UPDATE millrace_continuous_workflow SET debug_by = NULL, debug_until = NULL, log_seq = log_seq + 1,
        revision = revision + 1, modified_at = :now
      """
          + ContinuousRowReader.NAMED;

  private static final String ACKNOWLEDGE =
      """
      UPDATE millrace_continuous_workflow SET attention = FALSE, request = NULL
      WHERE name = :name AND executor_id = :executorId AND epoch = :epoch AND revision = :revision
      """;

  private ContinuousRequests() {}

  /**
   * Adds workflows. Fails as a duplicate if another transaction adds one of them at the same time.
   */
  static void register(SqlSession session, NamedRemover remover, List<Registration> workflows)
      throws SQLException {
    Map<String, Identity> known = new HashMap<>();
    session.forEachRow(
        IDENTITIES,
        ContinuousRowReader.named(workflows.stream().map(w -> w.identity().name()).toList()),
        row ->
            known.put(
                row.getString("name"),
                new Identity(
                    row.getString("name"),
                    row.getString("executor_group"),
                    row.getString("type"),
                    row.getString("settings"))));
    List<Registration> missing =
        workflows.stream().filter(w -> !known.containsKey(w.identity().name())).toList();
    List<Registration> changed =
        workflows.stream()
            .filter(w -> known.containsKey(w.identity().name()))
            .filter(w -> !w.identity().equals(known.get(w.identity().name())))
            .toList();
    if (!changed.isEmpty()) {
      ContinuousRowReader.lock(session, changed.stream().map(w -> w.identity().name()).toList());
      session.update(REPLACE, identities(changed));
    }
    if (!missing.isEmpty()) {
      session.update(
          INSERT, identities(missing).booleans("enabled", missing, Registration::enabled));
      remover.check(session, missing.stream().map(w -> w.identity().name()).toList());
      List<String> enabled =
          missing.stream().filter(Registration::enabled).map(w -> w.identity().name()).toList();
      if (!enabled.isEmpty()) {
        ContinuousLogWriter.enabled(session, enabled, RunStartCodes.DEPLOY, null);
      }
    }
  }

  private static Params identities(List<Registration> workflows) {
    return Params.none()
        .texts("names", workflows, w -> w.identity().name())
        .texts("groups", workflows, w -> w.identity().executorGroup())
        .texts("types", workflows, w -> w.identity().type())
        .texts("settings", workflows, w -> w.identity().settings());
  }

  static boolean remove(SqlSession session, NamedRemover remover, String name) throws SQLException {
    Optional<ContinuousRowReader.LockedRow> row = ContinuousRowReader.lock(session, name);
    if (row.isEmpty() || row.get().enabled() || row.get().executorId() != null) {
      return false;
    }
    session.update(DELETE, ContinuousRowReader.named(List.of(name)));
    remover.begin(session, name);
    return true;
  }

  static boolean setEnabled(SqlSession session, String name, boolean enabled, OperatorAction action)
      throws SQLException {
    Optional<ContinuousRowReader.LockedRow> row = ContinuousRowReader.lock(session, name);
    if (row.isEmpty() || row.get().enabled() == enabled) {
      return row.isPresent();
    }
    List<String> names = List.of(name);
    if (enabled) {
      session.update(ENABLE, ContinuousRowReader.named(names));
      ContinuousLogWriter.enabled(session, names, RunStartCodes.MANUAL_REASON, action.summary());
    } else {
      ContinuousLogWriter.happened(
          session, names, LogEntryType.DISABLED, RunStartCodes.MANUAL_REASON, action.summary(), 1);
      session.update(DISABLE, ContinuousRowReader.named(names));
    }
    audit(session, name, enabled ? "enable" : "disable", action);
    return true;
  }

  static boolean ask(
      SqlSession session,
      String name,
      OwnerRequest ownerRequest,
      @Nullable Long preferred,
      OperatorAction action)
      throws SQLException {
    Params params =
        ContinuousRowReader.named(List.of(name))
            .set("request", ownerRequest.name())
            .set("moves", ownerRequest == OwnerRequest.MOVE)
            .set("restarts", ownerRequest == OwnerRequest.RESTART)
            .set("preferred", preferred);
    if (session.update(ASK, params) == 0) {
      return false;
    }
    audit(session, name, ownerRequest.name().toLowerCase(Locale.ROOT), action);
    return true;
  }

  static boolean debug(SqlSession session, String name, Duration limit, OperatorAction action)
      throws SQLException {
    if (ContinuousRowReader.lock(session, name).isEmpty()) {
      return false;
    }
    List<String> names = List.of(name);
    boolean debugged =
        session
            .query(DEBUGGED, ContinuousRowReader.named(names), row -> row.getBoolean("debugged"))
            .getFirst();
    if (limit.isPositive()) {
      if (!debugged) {
        ContinuousLogWriter.happened(
            session, names, LogEntryType.DEBUG_STARTED, null, action.summary(), 1);
        audit(session, name, "debug", action);
      }
      session.update(
          DEBUG,
          ContinuousRowReader.named(names)
              .set("by", ColumnTexts.actor(action.actor()))
              .set("limit", ColumnTimes.micros(limit))
              .set("entries", debugged ? 0 : 1));
    } else if (debugged) {
      ContinuousLogWriter.happened(
          session, names, LogEntryType.DEBUG_ENDED, null, action.summary(), 1);
      session.update(END_DEBUG, ContinuousRowReader.named(names));
      audit(session, name, "debugEnd", action);
    }
    return true;
  }

  static void acknowledge(SqlSession session, Owner owner, int revision) throws SQLException {
    session.update(
        ACKNOWLEDGE,
        Params.of("name", owner.name())
            .set("executorId", owner.executorId())
            .set("epoch", owner.epoch())
            .set("revision", revision));
  }

  private static void audit(
      SqlSession session, String name, String action, OperatorAction operatorAction)
      throws SQLException {
    SqlAuditStore.insert(
        session, AuditEntryFactory.ofContinuousWorkflow(name, action, operatorAction), null);
  }
}
