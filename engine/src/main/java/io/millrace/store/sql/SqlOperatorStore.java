package io.millrace.store.sql;

import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InboxMessage;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.Position;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.AuditEntryFactory;
import io.millrace.store.InboxRules;
import io.millrace.store.OperatorCommand;
import io.millrace.store.OperatorCommandRules;
import io.millrace.store.OperatorStore;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The commands and signals in SQL, each under the lock of the instance's row. */
final class SqlOperatorStore implements OperatorStore {

  private static final String PARENT = "SELECT parent_id FROM millrace_instance WHERE id = :id";

  /** Query that locks rows by id, like saves. The parent's id is always the smaller one. */
  private static final String LOCK =
      "SELECT "
          + RowMappers.INSTANCE
          + " FROM millrace_instance w WHERE w.id = ANY(CAST(:ids AS bigint ARRAY)) ORDER BY w.id"
          + " FOR UPDATE";

  private static final String APPLY =
      """
      UPDATE millrace_instance SET
        seq = seq + 1,
        state = :state,
        status = :status,
        reason = CASE WHEN :named THEN CAST(:reason AS varchar) ELSE reason END,
        executor_id = NULL,
        lease_version = lease_version + CASE WHEN executor_id IS NULL THEN 0 ELSE 1 END,
        attempt = CASE WHEN :fresh THEN 0 ELSE attempt END,
        recovery_count = CASE WHEN :fresh THEN 0 ELSE recovery_count END,
        entered_seq = CASE WHEN :newVisit THEN seq + 1 ELSE entered_seq END,
        entered_at = CASE WHEN :newVisit THEN :now ELSE entered_at END,
        modified_at = :now,
        failure_fingerprint = CASE WHEN :named THEN NULL ELSE failure_fingerprint END,
        ended_at = CASE WHEN :ending THEN :now END,
        wake_at = NULL,
        waiting_for = CAST(:waitingFor AS varchar),
        wait_until = CASE
          WHEN CAST(:waitingFor AS varchar) IS NULL AND (:rescheduling OR :ending) THEN NULL
          WHEN :newVisit THEN DUE
          ELSE wait_until END,
        next_activation_at = CASE
          WHEN :ending THEN NULL
          WHEN :newVisit AND CAST(:waitingFor AS varchar) = 'children' AND open_child_count = 0 THEN :now
          WHEN :rescheduling THEN DUE
          ELSE next_activation_at END
      WHERE id = :id
      """
          .replace(
              "DUE",
              """
              COALESCE(CAST(CAST(:dueAt AS varchar) AS timestamp with time zone),
                :now + CAST(:dueAfter AS bigint) * INTERVAL '0.000001' SECOND)\
              """);

  private static final String INSERT_ENTRY =
      """
      INSERT INTO millrace_history (instance_id, seq, type, from_state, to_state, reason,
        variables, lease_version, attempt, actor, started_at, ended_at)
      SELECT id, seq, :type, :from, state, :note, :changes, lease_version, 0, :actor, modified_at, modified_at
      FROM millrace_instance WHERE id = :id
      """;

  private static final String COUNT_VARIABLES =
      """
      UPDATE millrace_instance SET variable_count = (
        SELECT COUNT(*) FROM millrace_variable v WHERE v.instance_id = millrace_instance.id)
      WHERE id = :id
      """;

  private static final String VARIABLE_BYTES =
      """
      SELECT COALESCE(SUM(OCTET_LENGTH(v."value")), 0) AS total,
        COALESCE(SUM(CASE WHEN v.name = ANY(CAST(:names AS varchar ARRAY)) THEN 0
          ELSE OCTET_LENGTH(v."value") END), 0) AS kept
      FROM millrace_variable v WHERE v.instance_id = :id
      """;

  private static final String OUTCOME =
      """
      SELECT seq, CASE WHEN status IN ('created', 'inProgress') AND next_activation_at <= :now
        THEN TRUE ELSE FALSE END AS due
      FROM millrace_instance WHERE id = :id
      """;

  private static final String WAKE_HOLDER =
      "UPDATE millrace_instance SET inbox_count = inbox_count + CAST(:added AS integer), wake_at = :now,"
          + " modified_at = :now WHERE id = :id";

  private static final String RECEIVE =
      """
      UPDATE millrace_instance SET inbox_count = inbox_count + 1, modified_at = :now,
        next_activation_at = CASE WHEN :waking THEN :now ELSE next_activation_at END
      WHERE id = :id
      """;

  private static final String UNCONSUMED =
      """
      SELECT COUNT(*) AS messages, COALESCE(SUM(OCTET_LENGTH(payload)), 0) AS bytes,
        COALESCE(MAX(CASE WHEN kind = 'signal' AND name = :name THEN 1 ELSE 0 END), 0) = 1 AS named
      FROM millrace_message WHERE instance_id = :id AND consumed_seq IS NULL
      """;

  private static final String SENT_BEFORE =
      "SELECT id FROM millrace_message WHERE instance_id = :id AND dedupe_key = :key";

  private final Jdbc jdbc;

  SqlOperatorStore(Jdbc jdbc) {
    this.jdbc = jdbc;
  }

  @Override
  public CommandResult apply(long instanceId, OperatorCommand command, OperatorAction action) {
    return jdbc.transaction(
        command.type().code() + " instance " + instanceId,
        session -> apply(session, instanceId, command, action));
  }

  /** Carries out a command in the session's transaction. */
  static CommandResult apply(
      SqlSession session, long instanceId, OperatorCommand command, OperatorAction action)
      throws SQLException {
    if (command.type() == HistoryEntryType.RETRY || command.type() == HistoryEntryType.MOVE) {
      List<String> missing = session.hooks().missing(session);
      if (!missing.isEmpty()) {
        return new CommandResult.Refused(
            "The command '"
                + command.type().code()
                + "' for instance "
                + instanceId
                + " is refused: the database has tables of the features "
                + String.join(", ", missing)
                + ", which this engine has not, and which may have to know that the instance goes"
                + " on. Use an engine or a server with these features.",
            false);
      }
      session.hooks().lockForReopening(session, instanceId);
    }
    Optional<WorkflowInstance> instance = lock(session, instanceId, true);
    if (instance.isEmpty()) {
      return new CommandResult.NotFound();
    }
    return switch (OperatorCommandRules.effectOf(instance.get(), command)) {
      case OperatorCommandRules.Effect.Apply plan -> {
        long excess =
            command instanceof OperatorCommand.EditVariables edit
                ? excess(session, instanceId, edit)
                : 0;
        yield excess > 0
            ? new CommandResult.TooLarge(excess)
            : apply(session, instance.get(), plan, command, action);
      }
      case OperatorCommandRules.Effect.Enqueue plan -> {
        enqueue(session, instanceId, plan.kind(), action);
        SqlAuditStore.insert(
            session, AuditEntryFactory.of(instance.get(), command, action, true), null);
        yield new CommandResult.AfterAttempt();
      }
      case OperatorCommandRules.Effect.Refuse plan ->
          new CommandResult.Refused(plan.message(), plan.inOtherState());
    };
  }

  private static long excess(
      SqlSession session, long instanceId, OperatorCommand.EditVariables edit) throws SQLException {
    Params params =
        Params.of("id", instanceId).texts("names", edit.variables().keySet(), name -> name);
    return session
        .query(
            VARIABLE_BYTES, params, row -> edit.excess(row.getLong("total"), row.getLong("kept")))
        .getFirst();
  }

  private static Optional<WorkflowInstance> lock(
      SqlSession session, long instanceId, boolean withParent) throws SQLException {
    Stream<Long> parent =
        withParent
            ? session
                .query(PARENT, Params.of("id", instanceId), row -> row.getLong("parent_id"))
                .stream()
            : Stream.of();
    List<Long> ids = Stream.concat(parent, Stream.of(instanceId)).sorted().toList();
    return session.query(LOCK, Params.none().longs("ids", ids), RowMappers::instance).stream()
        .filter(instance -> instance.id() == instanceId)
        .findFirst();
  }

  private static CommandResult apply(
      SqlSession session,
      WorkflowInstance before,
      OperatorCommandRules.Effect.Apply plan,
      OperatorCommand command,
      OperatorAction action)
      throws SQLException {
    Map<String, @Nullable String> edited =
        command instanceof OperatorCommand.EditVariables edit ? edit.variables() : Map.of();
    Params params =
        params(before, plan, command, action).set("changes", ColumnTexts.object(edited));
    session.update(APPLY, params);
    session.update(INSERT_ENTRY, params);
    if (!edited.isEmpty()) {
      VariableWriter.change(session, VariableWriter.of(before.id(), edited));
      session.update(COUNT_VARIABLES, params);
    }
    if (plan.newVisit() && plan.waitingFor() != null && before.details().inboxCount() > 0) {
      InboxMessages.endWaits(session, List.of(before.id()));
    }
    Long parentId = before.origin().parentId();
    if (parentId != null) {
      ChildCountWriter.updateParents(session, parentId, before.position().status(), plan.status());
    }
    if (OperatorCommandRules.isGivenUp(before.position().status()) && !plan.status().isTerminal()) {
      session.hooks().reopened(session, before.id(), OperatorCommandRules.isGivenUp(plan.status()));
    }
    Long takenFrom = before.lease().executorId();
    CommandResult.Applied applied =
        session
            .query(
                OUTCOME,
                params,
                row ->
                    new CommandResult.Applied(row.getInt("seq"), row.getBoolean("due"), takenFrom))
            .getFirst();
    SqlAuditStore.insert(
        session, AuditEntryFactory.of(before, command, action, false), applied.seq());
    return applied;
  }

  private static Params params(
      WorkflowInstance before,
      OperatorCommandRules.Effect.Apply plan,
      OperatorCommand command,
      OperatorAction action) {
    InstanceStatus status = plan.status();
    String reason = ColumnTexts.reason(OperatorCommandRules.reason(before, command, action));
    return Params.of("id", before.id())
        .set("type", command.type().code())
        .set("from", before.state())
        .set("state", plan.state())
        .set("status", status.code())
        .set("named", !(command instanceof OperatorCommand.EditVariables))
        .set("reason", reason)
        .set("note", reason)
        .set("actor", ColumnTexts.actor(action.actor()))
        .set("fresh", plan.fresh())
        .set("newVisit", plan.newVisit())
        .set("ending", status.isTerminal())
        .set("waitingFor", plan.awaited())
        .set("rescheduling", plan.due() != null)
        .set("dueAt", plan.due() == null ? null : ColumnTimes.at(plan.due()))
        .set("dueAfter", plan.due() == null ? null : ColumnTimes.after(plan.due()));
  }

  private static void enqueue(
      SqlSession session, long instanceId, InboxMessage.Kind kind, OperatorAction action)
      throws SQLException {
    boolean asked =
        InboxMessages.countUnconsumed(session, instanceId, kind) >= InboxRules.MAX_REQUESTS;
    if (!asked) {
      InboxMessages.insert(
          session,
          new InboxMessages.Message(
              instanceId, kind, kind.code(), null, null, action.actor(), action.reason()));
    }
    session.update(WAKE_HOLDER, Params.of("id", instanceId).set("added", asked ? 0 : 1));
  }

  @Override
  public SignalResult signal(SignalRequest request) {
    return jdbc.transaction(
        "signal instance " + request.instanceId(),
        session -> {
          Optional<WorkflowInstance> instance = lock(session, request.instanceId(), false);
          if (instance.isEmpty()) {
            return SignalResult.NOT_FOUND;
          }
          if (wasSentBefore(session, request)) {
            return SignalResult.DUPLICATE;
          }
          if (instance.get().position().status().isTerminal()) {
            return SignalResult.ENDED;
          }
          return isFull(session, instance.get(), request)
              ? SignalResult.FULL
              : receive(session, instance.get(), request);
        });
  }

  private static boolean wasSentBefore(SqlSession session, SignalRequest request)
      throws SQLException {
    return request.key() != null
        && session
            .first(
                SENT_BEFORE,
                Params.of("id", request.instanceId()).set("key", request.key()),
                row -> row.getLong("id"))
            .isPresent();
  }

  /**
   * Returns true if the inbox is full. Reads it only if the number of its messages is above a
   * threshold.
   */
  private static boolean isFull(
      SqlSession session, WorkflowInstance instance, SignalRequest request) throws SQLException {
    if (instance.details().inboxCount() < InboxRules.ALWAYS_ALLOWED) {
      return false;
    }
    Params params = Params.of("id", instance.id()).set("name", request.name());
    return session
        .query(
            UNCONSUMED,
            params,
            row ->
                InboxRules.refuses(
                    request,
                    instance.position().waitingFor(),
                    new InboxRules.Unconsumed(
                        row.getInt("messages"), row.getLong("bytes"), row.getBoolean("named"))))
        .getFirst();
  }

  private static SignalResult receive(
      SqlSession session, WorkflowInstance instance, SignalRequest request) throws SQLException {
    InboxMessages.insert(
        session,
        new InboxMessages.Message(
            instance.id(),
            InboxMessage.Kind.SIGNAL,
            request.name(),
            request.payload(),
            request.key(),
            request.actor(),
            null));
    if (request.actor() != null) {
      SqlAuditStore.insert(session, AuditEntryFactory.of(instance, request, request.actor()), null);
    }
    boolean waking =
        instance.lease().executorId() == null
            && Position.signal(request.name()).equals(instance.position().waitingFor());
    session.update(RECEIVE, Params.of("id", instance.id()).set("waking", waking));
    return waking ? SignalResult.WOKEN : SignalResult.IN_INBOX;
  }
}
