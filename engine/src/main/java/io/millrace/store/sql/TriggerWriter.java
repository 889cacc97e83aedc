package io.millrace.store.sql;

import io.millrace.data.PeriodClaimResult;
import io.millrace.data.PeriodId;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Origin;
import io.millrace.store.ContinuousStore.EndedExecution;
import io.millrace.store.ContinuousStore.FirePeriod;
import io.millrace.store.ContinuousStore.FireResult;
import io.millrace.store.ContinuousStore.MissedPeriod;
import io.millrace.store.ContinuousStore.OfferResult;
import io.millrace.store.ContinuousStore.OfferedEvent;
import io.millrace.store.ContinuousStore.Owner;
import io.millrace.store.ContinuousStore.TriggerFire;
import io.millrace.store.ContinuousStore.TriggerMiss;
import io.millrace.store.StartResult;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A writer of the data of triggers: events, offered events, positions, and the ends of executions.
 */
final class TriggerWriter {

  private static final String FIRE =
      """
      UPDATE millrace_continuous_workflow SET position = COALESCE(CAST(:position AS text), position),
        execution_id = :executionId, fire_count = fire_count + :started, last_fired_at = :now, modified_at = :now
      WHERE name = :name
      """;

  private static final String STANDS_FOR =
      """
      SELECT id FROM millrace_instance WHERE id = :executionId AND type = :type
        AND executor_group = :group AND external_id = :externalId
      """;

  /**
   * Update of the position to behind an event that starts nothing. That shows that the trigger
   * works, so its failures are cleared.
   */
  private static final String PASS_TO =
      """
      UPDATE millrace_continuous_workflow SET position = CAST(:position AS text), failure_count = 0,
        crash_loop = FALSE, error = NULL, modified_at = :now
      WHERE name = :name AND executor_id = :executorId AND epoch = :epoch
        AND generation = :generation
      """;

  /**
   * Query for ended executions. The scalar subquery looks up each execution by its id, however many
   * there are. Its condition inside of CASE keeps that from using the index of open instances.
   */
  private static final String ENDED =
      """
      SELECT a.name, a.execution_id, (SELECT w.status FROM millrace_instance w
        WHERE w.id = a.execution_id) AS status
      FROM millrace_continuous_workflow a
      WHERE a.executor_id = :executorId AND a.execution_id IS NOT NULL AND (
        SELECT CASE WHEN w.ended_at IS NULL AND w.status <> 'manual' THEN w.id END
        FROM millrace_instance w WHERE w.id = a.execution_id) IS NULL
      """;

  private static final String ENDED_NAMED =
      ENDED + "AND a.name = ANY(CAST(:names AS varchar ARRAY)) ";

  private static final String WAITING =
      """
      SELECT a.name, a.execution_id FROM millrace_continuous_workflow a
      WHERE a.name = ANY(CAST(:names AS varchar ARRAY)) AND a.executor_id = :executorId
      ORDER BY a.name
      """;

  /**
   * Update after the end of an execution, which shows that the trigger works. An execution that
   * ended before the run started does not count for the run: its event only came again.
   */
  private static final String ACKNOWLEDGE =
      """
      MERGE INTO millrace_continuous_workflow a USING (
        SELECT d.name, d.status, (SELECT :now) AS now
        FROM UNNEST(CAST(:names AS varchar ARRAY), CAST(:statuses AS varchar ARRAY))
          AS d(name, status)\
      """
          + Params.EXPECT_FEW
          + """
          ) d ON (a.name = d.name)
          WHEN MATCHED THEN UPDATE SET execution_id = NULL, iteration_count = a.iteration_count
            + CASE WHEN EXISTS (SELECT 1 FROM millrace_instance i
              WHERE i.id = a.execution_id AND i.ended_at < a.run_started_at) THEN 0 ELSE 1 END,
            last_ended_at = d.now, last_result = d.status, failure_count = 0, crash_loop = FALSE,
            error = NULL, modified_at = d.now
          """;

  private static final String OFFER =
      """
      INSERT INTO millrace_offered_event (name, event_key, payload, offered_at)
      SELECT d.name, d.event_key, d.payload, (SELECT :now)
      FROM (SELECT CAST(:name AS varchar) AS name, CAST(:key AS varchar) AS event_key,
                   CAST(:payload AS text) AS payload) d
      WHERE NOT EXISTS (SELECT 1 FROM millrace_offered_event t
        WHERE t.name = d.name AND t.event_key = d.event_key)
      AND (SELECT count(*) FROM (SELECT 1 FROM millrace_offered_event w WHERE w.name = :name
        LIMIT :most) waiting) < :most
      """;

  private static final String WAITS =
      "SELECT id FROM millrace_offered_event WHERE name = :name AND event_key = :key";

  /** Update that makes the owner of a workflow look at it, after an event was offered. */
  private static final String MARK_OFFERED =
      """
      UPDATE millrace_continuous_workflow SET revision = revision + 1, modified_at = :now,
        attention = CASE WHEN executor_id IS NULL THEN FALSE ELSE TRUE END
      WHERE name = :name
      """;

  private static final String OFFERS =
      """
      SELECT id, event_key, payload, offered_at FROM millrace_offered_event WHERE name = :name AND
      """
          + ContinuousRowReader.IS_THERE
          + " ORDER BY name, id LIMIT :limit";

  private static final String TAKE_OFFER =
      "DELETE FROM millrace_offered_event WHERE id = :offer AND name = :name";

  private TriggerWriter() {}

  static FireResult fire(SqlSession session, TriggerFire fire) throws SQLException {
    session.limitLockWait(InstanceInserter.LOCK_WAIT);
    Optional<ContinuousRowReader.LockedRow> row = ContinuousRowReader.lock(session, fire.owner());
    if (row.isEmpty() || row.get().generation() != fire.generation()) {
      return new FireResult.NotOwner();
    }
    Long open = row.get().executionId();
    if (open != null) {
      if (!isOf(session, fire, open)) {
        return new FireResult.NotOwner();
      }
      TriggerMemory.write(session, fire.owner().name(), fire.memory());
      return new FireResult.Duplicate(open);
    }
    FirePeriod period = fire.period();
    if (period != null) {
      SqlPeriodLedgerStore.recordMissed(session, period.missed(), period.whyMissed());
      if (SqlPeriodLedgerStore.claim(session, period.claim(fire.owner()))
          instanceof PeriodClaimResult.Taken(var by)) {
        if (by.state().isHeld()) {
          return new FireResult.PeriodHeld(by);
        }
        if (fire.position() != null) {
          passTo(session, fire.owner(), fire.generation(), fire.position());
        }
        TriggerMemory.write(session, fire.owner().name(), fire.memory());
        return new FireResult.PeriodClosed(by);
      }
    }
    StartResult result =
        InstanceInserter.start(session, session.dialect(), List.of(fire.execution())).getFirst();
    if (period != null) {
      SqlPeriodLedgerStore.run(session, period.id(), result.id());
    }
    session.update(
        FIRE,
        Params.of("name", fire.owner().name())
            .set("position", fire.position())
            .set("executionId", result.id())
            .set("started", result instanceof StartResult.Created ? 1 : 0));
    TriggerMemory.write(session, fire.owner().name(), fire.memory());
    if (fire.offered() != null) {
      session.update(
          TAKE_OFFER, Params.of("offer", fire.offered()).set("name", fire.owner().name()));
    }
    return result instanceof StartResult.Created created
        ? new FireResult.Started(created.id(), created.at())
        : new FireResult.Duplicate(result.id());
  }

  /** Returns true if the event has been fired already, and its caller did not learn of it. */
  private static boolean isOf(SqlSession session, TriggerFire fire, long executionId)
      throws SQLException {
    Origin origin = fire.execution().origin();
    return origin.externalId() != null
        && session
            .first(
                STANDS_FOR,
                Params.of("executionId", executionId)
                    .set("type", origin.type())
                    .set("group", origin.executorGroup())
                    .set("externalId", origin.externalId()),
                row -> row.getLong("id"))
            .isPresent();
  }

  static boolean passTo(SqlSession session, Owner owner, long generation, @Nullable String position)
      throws SQLException {
    return session.update(
            PASS_TO,
            Params.of("name", owner.name())
                .set("executorId", owner.executorId())
                .set("epoch", owner.epoch())
                .set("generation", generation)
                .set("position", position))
        > 0;
  }

  static Optional<List<PeriodId>> miss(SqlSession session, TriggerMiss miss) throws SQLException {
    session.limitLockWait(InstanceInserter.LOCK_WAIT);
    Optional<ContinuousRowReader.LockedRow> row = ContinuousRowReader.lock(session, miss.owner());
    if (row.isEmpty() || row.get().generation() != miss.generation()) {
      return Optional.empty();
    }
    Map<String, List<PeriodId>> byReason =
        miss.periods().stream()
            .collect(
                Collectors.groupingBy(
                    MissedPeriod::reason,
                    TreeMap::new,
                    Collectors.mapping(MissedPeriod::id, Collectors.toList())));
    List<PeriodId> recorded = new ArrayList<>();
    for (Map.Entry<String, List<PeriodId>> some : byReason.entrySet()) {
      recorded.addAll(SqlPeriodLedgerStore.recordMissed(session, some.getValue(), some.getKey()));
    }
    if (miss.position() != null) {
      passTo(session, miss.owner(), miss.generation(), miss.position());
    }
    return Optional.of(recorded);
  }

  /**
   * Returns executions whose end may be acknowledged. Each is checked again under the lock of its
   * row.
   */
  static List<EndedExecution> ended(SqlSession session, long executorId, List<String> names)
      throws SQLException {
    return session.query(
        names.isEmpty() ? ENDED : ENDED_NAMED,
        ContinuousRowReader.named(names).set("executorId", executorId),
        row ->
            new EndedExecution(
                row.getString("name"),
                row.getLong("execution_id"),
                ContinuousRowReader.status(row, "status")));
  }

  static List<EndedExecution> acknowledgeEnded(
      SqlSession session, long executorId, List<EndedExecution> ended) throws SQLException {
    Map<String, Long> waiting = new HashMap<>();
    session.forEachRow(
        WAITING + session.dialect().skipLocked(),
        ContinuousRowReader.named(ended.stream().map(EndedExecution::name).toList())
            .set("executorId", executorId),
        row -> waiting.put(row.getString("name"), row.getLong("execution_id")));
    List<EndedExecution> acknowledged =
        ended.stream()
            .filter(one -> Long.valueOf(one.executionId()).equals(waiting.get(one.name())))
            .toList();
    if (!acknowledged.isEmpty()) {
      session.update(
          ACKNOWLEDGE,
          Params.none()
              .texts("names", acknowledged, EndedExecution::name)
              .texts("statuses", acknowledged, one -> code(one.result())));
    }
    return acknowledged;
  }

  private static @Nullable String code(@Nullable InstanceStatus status) {
    return status == null ? null : status.code();
  }

  /** An event to store, unless {@code most} events wait already. */
  record NewOffer(String key, String payload, int most) {}

  static OfferResult offer(SqlSession session, String name, NewOffer offer) throws SQLException {
    if (ContinuousRowReader.lock(session, name).isEmpty()) {
      return OfferResult.UNKNOWN;
    }
    Params params = Params.of("name", name).set("key", offer.key);
    params.set("payload", offer.payload).set("most", offer.most);
    if (session.update(OFFER, params) == 0) {
      return session.first(WAITS, params, row -> row.getLong("id")).isPresent()
          ? OfferResult.KNOWN
          : OfferResult.FULL;
    }
    session.update(MARK_OFFERED, params);
    return OfferResult.KEPT;
  }

  static List<OfferedEvent> offeredEvents(SqlSession session, String name, int limit)
      throws SQLException {
    return session.query(
        OFFERS,
        Params.of("name", name).set("limit", limit),
        row ->
            new OfferedEvent(
                row.getLong("id"),
                row.getString("event_key"),
                row.getString("payload"),
                ColumnTimes.read(row, "offered_at")));
  }
}
