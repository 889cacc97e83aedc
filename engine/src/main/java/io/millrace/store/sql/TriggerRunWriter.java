package io.millrace.store.sql;

import io.millrace.instance.StopReason;
import io.millrace.store.ContinuousStore.LogEntryType;
import io.millrace.store.ContinuousStore.Owner;
import io.millrace.store.ContinuousStore.TriggerFailure;
import io.millrace.store.RunStartCodes;
import io.millrace.store.StoredContinuousWorkflow;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A writer of the starts and ends of runs of triggers. Rows are locked by name after those of
 * executors and instances, so that no two transactions deadlock.
 */
final class TriggerRunWriter {

  private static final String ORPHAN =
      """
      a.enabled = TRUE AND a.executor_id IS NULL
        AND (a.backoff_until IS NULL OR a.backoff_until <= (SELECT :now))
      """;

  /**
   * Query for workflows without an owner, with the five seconds of {@link
   * io.millrace.store.ContinuousStore#unowned}.
   */
  private static final String ORPHANS =
      """
      SELECT a.name FROM millrace_continuous_workflow a
      WHERE a.executor_group = :group AND ORPHAN
        AND (a.preferred_executor_id IS NULL OR a.preferred_executor_id = :executorId
          OR a.down_since <= (SELECT :now) - INTERVAL '5' SECOND
          OR (SELECT e.id FROM millrace_executor e WHERE e.id = a.preferred_executor_id AND e.stopped_at IS NULL
            AND e.state = 'ACTIVE' AND e.expires_at >= (SELECT :now)) IS NULL)
      ORDER BY CASE WHEN a.preferred_executor_id = :executorId THEN 0 ELSE 1 END, a.name LIMIT :limit
      """
          .replace("ORPHAN", ORPHAN);

  /**
   * Query for an executor that claims new work. Its row stays locked, so that its lease cannot be
   * ended meanwhile.
   */
  private static final String LIVES =
      """
      SELECT e.executor_group FROM millrace_executor e
      WHERE e.id = :executorId AND e.stopped_at IS NULL AND e.state = 'ACTIVE' AND e.expires_at >= :now
      FOR UPDATE
      """;

  private static final String FREE =
      """
      SELECT a.name FROM millrace_continuous_workflow a
      WHERE a.name = ANY(CAST(:names AS varchar ARRAY)) AND a.executor_group = :group AND ORPHAN
      ORDER BY a.name
      """
          .replace("ORPHAN", ORPHAN);

  private static final String CLAIM =
      """
      UPDATE millrace_continuous_workflow SET executor_id = :executorId, epoch = epoch + 1,
        generation = CASE WHEN series = enable_count THEN generation + 1 ELSE 1 END,
        series_started_at = CASE WHEN series = enable_count THEN series_started_at ELSE :now END,
        series = enable_count, run_started_at = :now, run_mode = COALESCE(start_mode, 'AUTO'),
        run_reason = COALESCE(start_reason, 'DEPLOY'), start_mode = NULL, start_reason = NULL,
        iteration_count = 0, request = NULL, attention = FALSE, preferred_executor_id = NULL, backoff_until = NULL,
        down_since = NULL, log_seq = log_seq + 1, modified_at = :now
      """
              .replace("'AUTO'", quoted(RunStartCodes.AUTO))
              .replace("'DEPLOY'", quoted(RunStartCodes.DEPLOY))
          + ContinuousRowReader.NAMED;

  /**
   * Query for runs that can be continued. Two of the four conditions are in {@code resting}: no
   * execution runs, and one has ended.
   */
  private static final String RIPE =
      """
      SELECT a.name FROM millrace_continuous_workflow a
      WHERE a.executor_id = :executorId AND a.execution_id IS NULL AND a.iteration_count > 0
        AND a.enabled = TRUE
        AND a.run_started_at <= (SELECT :now - CAST(:minAge AS bigint) * INTERVAL '0.000001' SECOND)
        AND (a.debug_until IS NULL OR a.debug_until <= (SELECT :now))
      """;

  private static final String RIPE_NAMED =
      RIPE + "AND a.name = ANY(CAST(:names AS varchar ARRAY)) ";

  private static final String CONTINUE =
      """
      UPDATE millrace_continuous_workflow SET generation = generation + 1, run_started_at = :now,
        run_mode = 'CONTINUATION', run_reason = :reason, iteration_count = 0,
        request = CASE WHEN request = 'CONTINUE' THEN NULL ELSE request END,
        log_seq = log_seq + 1, modified_at = :now
      """
              .replace("'CONTINUATION'", quoted(RunStartCodes.CONTINUATION))
          + ContinuousRowReader.NAMED;

  /**
   * Update that releases a workflow. An operator's request in the meantime determines the mode of
   * the next run, except after a death.
   */
  private static final String GIVE_UP =
      """
      UPDATE millrace_continuous_workflow SET executor_id = NULL, request = NULL, attention = FALSE,
        start_mode = CASE WHEN enabled = TRUE THEN COALESCE(LEFT_MODE, 'AUTO') END,
        start_reason = CASE WHEN enabled = TRUE THEN COALESCE(LEFT_REASON, CAST(:reason AS varchar)) END,
        preferred_executor_id = COALESCE(CAST(:preferred AS bigint), preferred_executor_id),
        down_since = CASE WHEN enabled = TRUE THEN :now END,
        log_seq = log_seq + 1, modified_at = :now
      """
              .replace("'AUTO'", quoted(RunStartCodes.AUTO))
          + ContinuousRowReader.NAMED;

  private static final String RELEASE =
      GIVE_UP.replace("LEFT_MODE", "start_mode").replace("LEFT_REASON", "start_reason");

  private static final String LOSE =
      GIVE_UP.replace("LEFT_MODE, ", "").replace("LEFT_REASON, ", "");

  private static final String FAIL =
      """
      UPDATE millrace_continuous_workflow SET executor_id = NULL, request = NULL, attention = FALSE,
        start_mode = 'AUTO', start_reason = 'RESTART', failure_count = :failures, error = :error,
        backoff_until = :now + CAST(:backOff AS bigint) * INTERVAL '0.000001' SECOND,
        crash_loop = :crashLoop, down_since = CASE WHEN enabled = TRUE THEN :now END,
        log_seq = log_seq + :entries, modified_at = :now
      """
              .replace("'AUTO'", quoted(RunStartCodes.AUTO))
              .replace("'RESTART'", quoted(RunStartCodes.RESTART))
          + ContinuousRowReader.NAMED;

  private static final String OWNED =
      """
      SELECT name FROM millrace_continuous_workflow WHERE executor_id = :executorId
      ORDER BY name FOR UPDATE
      """;

  private static final String WHY_STOPPED =
      """
      SELECT drain_reason FROM millrace_executor
      WHERE id = :executorId AND drain_reason IS NOT NULL
      """;

  private TriggerRunWriter() {}

  private static String quoted(String text) {
    return "'" + text + "'";
  }

  static List<String> unowned(SqlSession session, String group, long executorId, int limit)
      throws SQLException {
    return session.query(
        ORPHANS,
        Params.of("group", group).set("executorId", executorId).set("limit", limit),
        row -> row.getString("name"));
  }

  static List<StoredContinuousWorkflow> claim(
      SqlSession session, long executorId, List<String> names) throws SQLException {
    Optional<String> group =
        session.first(
            LIVES, Params.of("executorId", executorId), row -> row.getString("executor_group"));
    if (group.isEmpty()) {
      return List.of();
    }
    List<String> free =
        session.query(
            FREE + session.dialect().skipLocked(),
            ContinuousRowReader.named(names).set("group", group.get()),
            row -> row.getString("name"));
    if (free.isEmpty()) {
      return List.of();
    }
    session.update(CLAIM, ContinuousRowReader.named(free).set("executorId", executorId));
    ContinuousLogWriter.begun(session, free, LogEntryType.STARTED);
    return ContinuousRowReader.read(session, free);
  }

  static List<StoredContinuousWorkflow> continueAsNew(
      SqlSession session, long executorId, List<String> names, Duration minAge, String reason)
      throws SQLException {
    List<String> ripe =
        session.query(
            (names.isEmpty() ? RIPE : RIPE_NAMED)
                + "ORDER BY a.name"
                + session.dialect().skipLocked(),
            ContinuousRowReader.named(names)
                .set("executorId", executorId)
                .set("minAge", ColumnTimes.micros(minAge)),
            row -> row.getString("name"));
    if (ripe.isEmpty()) {
      return List.of();
    }
    session.update(
        CONTINUE, ContinuousRowReader.named(ripe).set("reason", ColumnTexts.word(reason)));
    ContinuousLogWriter.begun(session, ripe, LogEntryType.CONTINUED);
    return ContinuousRowReader.read(session, ripe);
  }

  static int release(
      SqlSession session, List<Owner> owners, String reason, @Nullable Long preferred)
      throws SQLException {
    Map<String, ContinuousRowReader.LockedRow> rows =
        ContinuousRowReader.lock(session, owners.stream().map(Owner::name).toList());
    Set<String> held = new TreeSet<>();
    for (Owner owner : owners) {
      ContinuousRowReader.LockedRow row = rows.get(owner.name());
      if (row != null && row.isOwnedBy(owner)) {
        held.add(owner.name());
      }
    }
    if (!held.isEmpty()) {
      ContinuousLogWriter.happened(session, held, LogEntryType.RELEASED, reason, null, 1);
      session.update(
          RELEASE,
          ContinuousRowReader.named(held)
              .set("reason", ColumnTexts.word(reason))
              .set("preferred", preferred));
    }
    return held.size();
  }

  /** Releases all workflows of a dead executor, in the transaction of its recovery. */
  static void lose(SqlSession session, long executorId, String detail) throws SQLException {
    List<String> owned = owned(session, executorId);
    if (!owned.isEmpty()) {
      ContinuousLogWriter.happened(
          session, owned, LogEntryType.LOST, RunStartCodes.FAILOVER, detail, 1);
      session.update(
          LOSE,
          ContinuousRowReader.named(owned)
              .set("reason", RunStartCodes.FAILOVER)
              .set("preferred", null));
    }
  }

  /**
   * Releases all workflows of an executor that stops in good order, in the transaction of its stop.
   */
  static void handOver(SqlSession session, long executorId) throws SQLException {
    List<String> owned = owned(session, executorId);
    if (!owned.isEmpty()) {
      String reason = RunStartCodes.after(whyStopped(session, executorId));
      ContinuousLogWriter.happened(session, owned, LogEntryType.RELEASED, reason, null, 1);
      session.update(
          RELEASE, ContinuousRowReader.named(owned).set("reason", reason).set("preferred", null));
    }
  }

  private static @Nullable StopReason whyStopped(SqlSession session, long executorId)
      throws SQLException {
    return session
        .first(
            WHY_STOPPED,
            Params.of("executorId", executorId),
            row -> StopReason.of(row.getString("drain_reason")))
        .orElse(null);
  }

  private static List<String> owned(SqlSession session, long executorId) throws SQLException {
    return session.query(OWNED, Params.of("executorId", executorId), row -> row.getString("name"));
  }

  static boolean fail(SqlSession session, Owner owner, TriggerFailure triggerFailure)
      throws SQLException {
    Optional<ContinuousRowReader.LockedRow> row = ContinuousRowReader.lock(session, owner);
    if (row.isEmpty()) {
      return false;
    }
    List<String> name = List.of(owner.name());
    String error = ColumnTexts.reason(triggerFailure.error());
    ContinuousLogWriter.happened(
        session, name, LogEntryType.FAILED, RunStartCodes.RESTART, error, 1);
    boolean begins = triggerFailure.crashLoop() && !row.get().crashLoop();
    if (begins) {
      ContinuousLogWriter.happened(
          session, name, LogEntryType.CRASH_LOOP, RunStartCodes.RESTART, error, 2);
    }
    session.update(
        FAIL,
        ContinuousRowReader.named(name)
            .set("failures", triggerFailure.failures())
            .set("error", error)
            .set("backOff", ColumnTimes.micros(triggerFailure.backOff()))
            .set("crashLoop", triggerFailure.crashLoop())
            .set("entries", begins ? 2 : 1));
    return true;
  }
}
