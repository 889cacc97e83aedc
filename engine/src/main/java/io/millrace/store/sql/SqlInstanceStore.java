package io.millrace.store.sql;

import io.millrace.instance.InboxMessage;
import io.millrace.store.ChannelClaimRequest;
import io.millrace.store.ChannelClaimResult;
import io.millrace.store.ClaimRequest;
import io.millrace.store.ClaimResult;
import io.millrace.store.Fence;
import io.millrace.store.InstanceStore;
import io.millrace.store.NewInstance;
import io.millrace.store.SaveRequest;
import io.millrace.store.SaveResult;
import io.millrace.store.StartResult;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The hot path in SQL. */
final class SqlInstanceStore implements InstanceStore {

  /** Update under the lease, without the {@code seq} of the fence: the caller may not know it. */
  private static final String RELEASE =
      """
      UPDATE millrace_instance SET
        executor_id = NULL,
        attempt = GREATEST(attempt - 1, 0),
        next_activation_at = CASE WHEN wake_at IS NULL THEN next_activation_at ELSE :now END,
        wake_at = NULL,
        modified_at = :now
      WHERE id = :id AND executor_id IS NOT DISTINCT FROM CAST(:executorId AS bigint)
        AND lease_version = :leaseVersion
      """;

  private static final String MARK_STEPS =
      """
      UPDATE millrace_instance SET steps_seq = :enteredSeq, recovery_count = 0, modified_at = :now
      WHERE
      """
          + FenceSql.OF_ROW;

  private static final String STEP =
      """
      INSERT INTO millrace_step (instance_id, entered_seq, name, result, created_at)
      SELECT d.instance_id, d.entered_seq, d.name, d.result, :now
      FROM (SELECT CAST(:id AS bigint) AS instance_id, CAST(:enteredSeq AS integer) AS entered_seq,
                   CAST(:name AS varchar) AS name, CAST(:result AS text) AS result) d
      WHERE NOT EXISTS (SELECT 1 FROM millrace_step s
        WHERE s.instance_id = d.instance_id AND s.entered_seq = d.entered_seq AND s.name = d.name)
      """;

  private final Jdbc jdbc;
  private final Dialect dialect;
  private final TransitionWriter transitionWriter;

  SqlInstanceStore(Jdbc jdbc) {
    this.jdbc = jdbc;
    this.dialect = jdbc.dialect();
    this.transitionWriter = new TransitionWriter(jdbc);
  }

  @Override
  public List<StartResult> start(List<NewInstance> instances) {
    return start(instances, InstanceInserter.BATCH_LOCK_WAIT);
  }

  @Override
  public List<StartResult> startWithoutWaiting(List<NewInstance> instances) {
    return start(instances, InstanceInserter.MIN_LOCK_WAIT);
  }

  private List<StartResult> start(List<NewInstance> instances, Duration lockWait) {
    if (instances.isEmpty()) {
      return List.of();
    }
    instances.forEach(jdbc.hooks()::requireWriters);
    StatementTimeout statementTimeout = StatementTimeout.forRows(instances.size());
    if (InstanceInserter.haveExternalIds(instances)) {
      return jdbc.transaction(
          "start instances",
          statementTimeout,
          session -> {
            session.limitLockWait(lockWait);
            return InstanceInserter.start(session, dialect, instances);
          });
    }
    Jdbc.SessionCallback<List<StartResult>> sessionCallback =
        session -> InstanceInserter.start(session, dialect, instances);
    return dialect.writesInOneStatement() && InstanceInserter.isOneStatement(instances)
        ? jdbc.run("start instances", statementTimeout, sessionCallback)
        : jdbc.transaction("start instances", statementTimeout, sessionCallback);
  }

  @Override
  public StartResult start(Connection transaction, NewInstance instance) {
    jdbc.hooks().requireWriters(instance);
    return jdbc.within(
        "start an instance",
        transaction,
        session -> {
          StartResult result =
              InstanceInserter.start(session, dialect, List.of(instance)).getFirst();
          dialect.hint(session, instance.origin().executorGroup());
          return result;
        });
  }

  @Override
  public ClaimResult claim(ClaimRequest request) {
    Jdbc.SessionCallback<ClaimResult> sessionCallback =
        session -> InstanceClaimer.claim(session, dialect, request);
    return dialect.writesInOneStatement()
        ? jdbc.run("claim instances", sessionCallback)
        : jdbc.transaction("claim instances", sessionCallback);
  }

  @Override
  public List<ChannelClaimResult> claimForChannel(ChannelClaimRequest request) {
    if (request.named().isEmpty()) {
      return List.of();
    }
    Jdbc.SessionCallback<List<ChannelClaimResult>> sessionCallback =
        session -> ChannelClaimer.claim(session, request);
    return dialect.writesInOneStatement()
        ? jdbc.run("claim instances for a channel", sessionCallback)
        : jdbc.transaction("claim instances for a channel", sessionCallback);
  }

  @Override
  public List<SaveResult> save(List<SaveRequest> requests) {
    return transitionWriter.save(requests);
  }

  @Override
  public List<InboxMessage> unconsumedMessages(long instanceId) {
    return jdbc.run(
        "read an inbox", session -> InstanceClaimer.unconsumedMessages(session, instanceId));
  }

  @Override
  public Optional<InboxMessage> oldestSignal(long instanceId, String name) {
    return jdbc.run("read a signal", session -> InboxMessages.oldest(session, instanceId, name));
  }

  @Override
  public boolean recordStep(StepRecord step) {
    return jdbc.transaction(
        "store a step's result",
        session -> {
          Params params =
              FenceSql.params(step.fence())
                  .set("enteredSeq", step.enteredSeq())
                  .set("name", step.name())
                  .set("result", step.result());
          if (session.update(MARK_STEPS, params) == 0) {
            return false;
          }
          session.update(STEP, params);
          return true;
        });
  }

  @Override
  public void progress(List<ProgressUpdate> updates) {
    if (updates.isEmpty()) {
      return;
    }
    Map<Fence, ProgressUpdate> latest = new HashMap<>();
    updates.forEach(update -> latest.put(update.fence(), update));
    List<ProgressUpdate> sorted =
        latest.values().stream()
            .sorted(Comparator.comparingLong(update -> update.fence().instanceId()))
            .toList();
    jdbc.transaction(
        "store progress",
        session -> {
          dialect.progress(session, sorted);
          return sorted;
        });
  }

  @Override
  public int release(List<Fence> leases) {
    if (leases.isEmpty()) {
      return 0;
    }
    return jdbc.transaction(
        "release instances", StatementTimeout.URGENT, session -> release(session, leases));
  }

  static int release(SqlSession session, List<Fence> leases) throws SQLException {
    if (leases.isEmpty()) {
      return 0;
    }
    List<Params> rows =
        leases.stream()
            .sorted(Comparator.comparingLong(Fence::instanceId))
            .map(FenceSql::params)
            .toList();
    return Arrays.stream(session.batch(RELEASE, rows)).sum();
  }
}
