package io.millrace.store.sql;

import io.millrace.data.PeriodEntry;
import io.millrace.data.PeriodId;
import io.millrace.data.PeriodState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.stream.Collectors;

/** Statements and rows of the period ledger. */
final class PeriodLedgerSql {

  static final String COLUMNS =
      """
      f.ledger_key, f.period_key, f.state, f.token, f.holder, f.executor_id, f.execution_id,
      f.lease_until, f.attempt, f.max_attempts, f.claimed_at, f.ended_at, f.reason
      """;

  static final String FIND =
      "SELECT "
          + COLUMNS
          + " , (SELECT :now) AS now FROM millrace_period_ledger f"
          + " WHERE f.ledger_key = :schedule AND f.period_key = :period";

  private static final String HELD = states(PeriodState.Operation.COMPLETE);

  /** Condition of {@link io.millrace.store.PeriodLedgerRules#isOwn}. */
  private static final String OWN = "(f.holder = :holder AND f.state IN (" + HELD + "))";

  /**
   * Condition of {@link io.millrace.store.PeriodLedgerRules#isFree}; unknown if the lease has no
   * end.
   */
  private static final String FREE =
      "(f.state = 'released' OR (f.state IN ("
          + HELD
          + ") AND f.lease_until < (SELECT :now) AND f.attempt < CAST(:maxAttempts AS integer)))";

  /** Insert of a claimed entry. */
  private static final String INSERT =
      """
      INSERT INTO millrace_period_ledger AS f (ledger_key, period_key, state, token, holder,
        executor_id, execution_id, lease_until, attempt, max_attempts, claimed_at)
      SELECT CAST(:schedule AS varchar), CAST(:period AS varchar), CAST(:state AS varchar), 1,
        CAST(:holder AS varchar), CAST(:executorId AS bigint),
        CAST(:executionId AS bigint), d.now + CAST(:lease AS bigint) * INTERVAL '0.000001' SECOND,
        1, CAST(:maxAttempts AS integer), d.now
      FROM (SELECT (SELECT :now) AS now) d
      """;

  /** Insert that writes nothing if the entry exists, since even a lock would have to be flushed. */
  static final String CLAIM_NEW =
      INSERT + " ON CONFLICT (ledger_key, period_key) DO NOTHING RETURNING " + COLUMNS;

  /** Update that checks the rules again on the current row. */
  static final String CLAIM_AGAIN =
      """
      UPDATE millrace_period_ledger f SET
        state = CASE WHEN OWN THEN f.state ELSE CAST(:state AS varchar) END,
        token = f.token + CASE WHEN OWN THEN 0 ELSE 1 END,
        attempt = f.attempt + CASE WHEN OWN THEN 0 ELSE 1 END,
        claimed_at = CASE WHEN OWN THEN f.claimed_at ELSE d.now END,
        execution_id = CASE WHEN OWN THEN f.execution_id ELSE CAST(:executionId AS bigint) END,
        lease_until = CASE WHEN OWN AND f.lease_until IS NULL THEN NULL
          ELSE d.now + CAST(:lease AS bigint) * INTERVAL '0.000001' SECOND END,
        executor_id = CAST(:executorId AS bigint), holder = :holder,
        max_attempts = CAST(:maxAttempts AS integer), ended_at = NULL, reason = NULL
      FROM (SELECT (SELECT :now) AS now) d
      WHERE f.ledger_key = :schedule AND f.period_key = :period AND (OWN OR FREE)
      RETURNING COLUMNS
      """
          .replace("OWN", OWN)
          .replace("FREE", FREE)
          .replace("COLUMNS", COLUMNS);

  /** Insert for a database that claims in several statements. */
  static final String INSERT_CLAIM = INSERT.replace(" AS f ", " ");

  static final String UPDATE_CLAIM =
      """
      UPDATE millrace_period_ledger SET state = :state, token = token + 1, attempt = attempt + 1,
        claimed_at = :now, holder = :holder, executor_id = :executorId, execution_id = :executionId,
        lease_until = :now + CAST(:lease AS bigint) * INTERVAL '0.000001' SECOND,
        max_attempts = :maxAttempts, ended_at = NULL, reason = NULL
      WHERE ledger_key = :schedule AND period_key = :period
      """;

  /** Update by a repeated claim, which extends its lease. */
  static final String REPEAT_CLAIM =
      """
      UPDATE millrace_period_ledger SET executor_id = :executorId, max_attempts = :maxAttempts,
        lease_until = CASE WHEN lease_until IS NULL THEN NULL
          ELSE :now + CAST(:lease AS bigint) * INTERVAL '0.000001' SECOND END
      WHERE ledger_key = :schedule AND period_key = :period
      """;

  /** Update after which the instance holds the period. */
  static final String RUN =
      """
      UPDATE millrace_period_ledger SET state = 'running', execution_id = :executionId,
        lease_until = NULL
      WHERE ledger_key = :schedule AND period_key = :period
      """;

  static final String RENEW =
      """
      UPDATE millrace_period_ledger SET
        lease_until = :now + CAST(:lease AS bigint) * INTERVAL '0.000001' SECOND
      WHERE ledger_key = :schedule AND period_key = :period AND token = :token
        AND lease_until IS NOT NULL AND state IN (
      """
          + states(PeriodState.Operation.COMPLETE)
          + ")";

  static final String END =
      """
      UPDATE millrace_period_ledger SET state = :state, ended_at = :now, lease_until = NULL,
        reason = :reason
      WHERE ledger_key = :schedule AND period_key = :period AND token = :token AND state IN (
      """
          + states(PeriodState.Operation.COMPLETE)
          + ")";

  static final String INSERT_MISSED =
      """
      INSERT INTO millrace_period_ledger (ledger_key, period_key, state, token, holder, attempt,
        max_attempts, claimed_at, ended_at, reason)
      VALUES (:schedule, :period, 'missed', 0, '-', 0, 1, :now, :now, :reason)
      """;

  static final String UPDATE_MISSED =
      """
      UPDATE millrace_period_ledger SET state = 'missed', ended_at = :now, reason = :reason
      WHERE ledger_key = :schedule AND period_key = :period AND state IN (
      """
          + states(PeriodState.Operation.MISS)
          + ")";

  static final String MISSED =
      "SELECT "
          + COLUMNS
          + """
          FROM millrace_period_ledger f WHERE f.state = 'missed' AND f.ended_at >= :since
          ORDER BY f.ended_at DESC, f.ledger_key, f.period_key DESC LIMIT :limit
          """;

  static final String NEXT_SCHEDULE =
      """
      SELECT ledger_key FROM millrace_period_ledger WHERE ledger_key > :after
      ORDER BY ledger_key LIMIT 1
      """;

  /** Query for open entries. Ended instances are looked up in the archive too. */
  static final String OPEN =
      "SELECT "
          + COLUMNS
          + """
          , COALESCE(w.status, a.status) AS instance_status,
            COALESCE(w.reason, a.reason) AS instance_reason
          FROM millrace_period_ledger f
          LEFT JOIN millrace_instance w ON w.id = f.execution_id
          LEFT JOIN millrace_archive_instance a ON a.id = f.execution_id
          WHERE f.state IN ('claimed', 'running') AND (
            (f.execution_id IS NOT NULL AND (w.id IS NULL OR w.ended_at IS NOT NULL))
            OR (f.execution_id IS NULL AND f.attempt >= f.max_attempts
                AND f.lease_until < (SELECT :now)))
          """;

  static final String CLOSE_CANDIDATES = OPEN + " ORDER BY f.ledger_key, f.period_key LIMIT :limit";

  static final String CLOSE_CANDIDATE =
      OPEN + " AND f.ledger_key = :schedule AND f.period_key = :period";

  static final String DELETE_ENDED =
      """
      DELETE FROM millrace_period_ledger WHERE (ledger_key, period_key) IN (
        SELECT ledger_key, period_key FROM millrace_period_ledger
        WHERE ended_at < (SELECT :now - CAST(:age AS bigint) * INTERVAL '0.000001' SECOND)
        ORDER BY ended_at, ledger_key, period_key LIMIT :limit)
      """;

  private PeriodLedgerSql() {}

  static Params key(PeriodId id) {
    return Params.of("schedule", id.key()).set("period", id.period());
  }

  static PeriodEntry read(ResultSet row) throws SQLException {
    return new PeriodEntry(
        new PeriodId(row.getString("ledger_key"), row.getString("period_key")),
        PeriodState.ofCode(row.getString("state")),
        new PeriodEntry.Hold(
            row.getLong("token"),
            row.getString("holder"),
            RowMappers.longOrNull(row, "executor_id"),
            RowMappers.longOrNull(row, "execution_id"),
            ColumnTimes.readOrNull(row, "lease_until")),
        row.getInt("attempt"),
        ColumnTimes.read(row, "claimed_at"),
        ColumnTimes.readOrNull(row, "ended_at"),
        row.getString("reason"));
  }

  /** Returns the states in which an operation is possible, by the table of transitions. */
  private static String states(PeriodState.Operation operation) {
    return quoted(PeriodState.from(operation));
  }

  private static String quoted(Collection<PeriodState> states) {
    return states.stream().map(s -> "'" + s.code() + "'").collect(Collectors.joining(", "));
  }
}
