package io.millrace.store.sql;

import io.millrace.schedule.DataWindow;
import io.millrace.store.NewInstance;
import io.millrace.store.OperatorCommand;
import io.millrace.store.QueryStore;
import io.millrace.store.SequenceStore.Cancellation;
import io.millrace.store.SequenceStore.FireBatchResult;
import io.millrace.store.SequenceStore.FirePlan;
import io.millrace.store.SequenceStore.FireResult;
import io.millrace.store.SequenceStore.Planner;
import io.millrace.store.SequenceStore.SlotRecord;
import io.millrace.store.SequenceStore.StoredSequence;
import io.millrace.store.StartResult;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A writer of the outcomes of slots. A transaction that fires a sequence holds the lock of its row,
 * which keeps others from using a slot that it has found unfired.
 */
final class FireWriter {

  /** Columns that {@link #findDue(SqlSession, String, Params)} reads. */
  private static final String DUE_COLUMNS =
      """
      SELECT s.sequence_id, (SELECT :now) AS now,
        COALESCE(OCTET_LENGTH(s.parameters), 0)
          + (SELECT COALESCE(SUM(OCTET_LENGTH(t.parameters)), 0) FROM millrace_sequence_task t
             WHERE t.sequence_id = s.sequence_id) AS parameter_bytes
      FROM millrace_sequence s
      """;

  /**
   * Query for due sequences, in the order of the index. An index cannot be searched with a volatile
   * function.
   */
  private static final String DUE =
      DUE_COLUMNS
          + """
          WHERE s.executor_group = :group AND s.due_at <= (SELECT :now)
          ORDER BY s.executor_group, s.due_at, s.sequence_id LIMIT :limit
          """;

  /** Query like {@link #DUE} for sequences whose run or restart an operator has requested. */
  private static final String DUE_REQUESTED =
      DUE_COLUMNS
          + """
          WHERE s.executor_group = :group AND s.due_at <= (SELECT :now)
            AND (s.run_requested OR s.restart)
          ORDER BY s.executor_group, s.due_at, s.sequence_id LIMIT :limit
          """;

  private static final String DUE_ONE =
      DUE_COLUMNS
          + """
          WHERE s.sequence_id = :id AND s.executor_group = :group AND s.due_at <= (SELECT :now)
          """;

  /**
   * Query for the next due time. H2 chooses the index by the order, and must start behind the rows
   * without a due time.
   */
  private static final String NEXT_DUE =
      """
      SELECT due_at FROM millrace_sequence WHERE executor_group = :group AND due_at >= :first
      ORDER BY executor_group, due_at LIMIT 1
      """;

  private static final String LOCK =
      "SELECT revision FROM millrace_sequence WHERE sequence_id = :id FOR UPDATE";

  /** Update that delays sequences without a plan, so that others have their turn first. */
  private static final String PUT_OFF =
      """
      UPDATE millrace_sequence SET due_at = :now + INTERVAL '10' SECOND
      WHERE sequence_id = ANY(CAST(:ids AS varchar ARRAY))
      """;

  /**
   * Query for fires of the planned slots. A fire by the schedule or a backfill, whose number is 0,
   * collides with those whose numbers are not positive, and another one with itself alone. The
   * first condition on the number is a range of the index.
   */
  private static final String FIRED =
      """
      SELECT r.sequence_id, r.fire_number, r.window_from, r.window_to, r.execution_id
      FROM (
        SELECT v.sequence_id, CAST(v.slot_at AS timestamp with time zone) AS slot_at, v.fire_number
        FROM UNNEST(CAST(:ids AS varchar ARRAY), CAST(:slots AS varchar ARRAY),
          CAST(:fireNumbers AS integer ARRAY)) AS v(sequence_id, slot_at, fire_number)
        EXPECT_FEW) planned
      JOIN millrace_slot_record r
        ON r.sequence_id = planned.sequence_id AND r.slot_at = planned.slot_at
        AND r.fire_number <= planned.fire_number
        AND (r.fire_number = planned.fire_number OR planned.fire_number = 0)
        AND r.execution_id IS NOT NULL
      """
          .replace("EXPECT_FEW", Params.EXPECT_FEW.strip());

  private static final String KNOWN =
      """
      SELECT execution_id FROM millrace_slot_record
      WHERE execution_id = ANY(CAST(:ids AS bigint ARRAY))
      """;

  private static final String INSERT =
      """
      INSERT INTO millrace_slot_record (sequence_id, slot_at, fire_number, window_from, window_to,
        outcome, cause, reason, slot_count, execution_id, recorded_at, end_recorded)
      SELECT decided.sequence_id, CAST(decided.slot_at AS timestamp with time zone),
        decided.fire_number, CAST(decided.window_from AS timestamp with time zone),
        CAST(decided.window_to AS timestamp with time zone), decided.outcome, decided.cause,
        decided.reason, decided.slot_count, decided.execution_id, decided.now,
        decided.execution_id IS NULL
      FROM (
        SELECT v.*, (SELECT :now) AS now
        FROM UNNEST(CAST(:ids AS varchar ARRAY), CAST(:slots AS varchar ARRAY),
          CAST(:fireNumbers AS integer ARRAY), CAST(:froms AS varchar ARRAY),
          CAST(:tos AS varchar ARRAY), CAST(:outcomes AS varchar ARRAY),
          CAST(:causes AS varchar ARRAY), CAST(:reasons AS varchar ARRAY),
          CAST(:counts AS integer ARRAY), CAST(:executions AS bigint ARRAY))
          AS v(sequence_id, slot_at, fire_number, window_from, window_to, outcome, cause, reason,
            slot_count, execution_id)) decided
      """;

  /**
   * Update of a sequence after its fire. If the slot had already fired, the run request stays
   * pending.
   */
  private static final String UPDATE =
      """
      MERGE INTO millrace_sequence s USING (
        SELECT v.sequence_id, v.revision,
          CAST(v.next_run_at AS timestamp with time zone) AS next_run_at, v.next_run_offset,
          CAST(v.due_at AS timestamp with time zone) AS due_at, v.run_requested, v.restart,
          v.definition_version, v.execution_id, v.already_fired, (SELECT :now) AS now
        FROM UNNEST(CAST(:ids AS varchar ARRAY), CAST(:revisions AS integer ARRAY),
          CAST(:nextRuns AS varchar ARRAY), CAST(:nextRunOffsets AS integer ARRAY),
          CAST(:dues AS varchar ARRAY), CAST(:runRequests AS boolean ARRAY),
          CAST(:restarts AS boolean ARRAY), CAST(:definitionVersions AS integer ARRAY),
          CAST(:executions AS bigint ARRAY), CAST(:alreadyFired AS boolean ARRAY))
          AS v(sequence_id, revision, next_run_at, next_run_offset, due_at, run_requested, restart,
            definition_version, execution_id, already_fired)
        EXPECT_FEW) planned
        ON (s.sequence_id = planned.sequence_id AND s.revision = planned.revision)
      WHEN MATCHED THEN UPDATE SET
        next_run_at = planned.next_run_at,
        next_run_offset = planned.next_run_offset,
        due_at = CASE
          WHEN planned.already_fired AND (s.run_requested OR s.restart) THEN planned.now
          ELSE planned.due_at END,
        run_requested = CASE
          WHEN planned.already_fired THEN s.run_requested ELSE planned.run_requested END,
        restart = CASE WHEN planned.already_fired THEN s.restart ELSE planned.restart END,
        resumed = FALSE,
        definition_version = planned.definition_version,
        execution_id = COALESCE(planned.execution_id, s.execution_id),
        revision = planned.revision + 1,
        modified_at = planned.now
      """
          .replace("EXPECT_FEW", Params.EXPECT_FEW.strip());

  /**
   * Sequences that were found due.
   *
   * @param more true if more may be due
   * @param now the time of the database; null if there are none
   */
  private record DueSequences(List<DueSequence> sequences, boolean more, @Nullable Instant now) {
    List<String> ids() {
      return sequences.stream().map(DueSequence::id).toList();
    }

    /**
     * Returns the first ones, up to the one by which their parameters reach the bytes of a page.
     */
    DueSequences firstPage() {
      List<DueSequence> page = new ArrayList<>();
      long bytes = 0;
      for (DueSequence sequence : sequences) {
        if (bytes >= QueryStore.PAGE_BYTES) {
          return new DueSequences(page, true, now);
        }
        page.add(sequence);
        bytes += sequence.bytes;
      }
      return this;
    }
  }

  /**
   * A sequence that was found due.
   *
   * @param bytes of its parameters and those of its tasks
   */
  private record DueSequence(String id, long bytes) {}

  /**
   * The executions that slots already have.
   *
   * @param sameWindow executions for the same window, by sequence
   * @param otherWindow sequences whose slots have executions for other windows
   */
  private record ExistingFires(Map<String, Long> sameWindow, Set<String> otherWindow) {}

  /** A slot record to insert, with the execution of its slot. */
  private record Row(String sequenceId, SlotRecord slotRecord, @Nullable Long executionId) {}

  /**
   * The result of writing plans.
   *
   * @param created new executions, by sequence
   * @param existing earlier executions for the same slot, by sequence
   * @param firePlans the plans that had an effect
   */
  private record WrittenPlans(
      Map<String, Long> created, Map<String, Long> existing, List<FirePlan> firePlans) {}

  /**
   * The result of starting executions, by sequence.
   *
   * @param created new executions
   * @param existing executions that had the external ids of new ones before
   * @param toRecord executions that must be written with their fires: the new ones, and existing
   *     ones that belong to no fire yet
   */
  private record StartedExecutions(
      Map<String, Long> created, Map<String, Long> existing, Map<String, Long> toRecord) {}

  private FireWriter() {}

  /** Fires the due sequences of a group: passes them to {@code planner}, and writes its plans. */
  static FireBatchResult fireDue(SqlSession session, String group, int limit, Planner planner)
      throws SQLException {
    DueSequences due = findDue(session, group, limit, lock(session));
    return fireFound(session, group, due.firstPage(), planner);
  }

  /** Fires one sequence like {@link #fireDue}, if it is due. */
  static FireBatchResult fireIfDue(
      SqlSession session, String group, String sequenceId, Planner planner) throws SQLException {
    Params params = Params.of("group", group).set("id", sequenceId);
    return fireFound(session, group, findDue(session, DUE_ONE + lock(session), params), planner);
  }

  /** Returns the due sequences, in the order in which they are fired. */
  static List<String> due(SqlSession session, String group, int limit) throws SQLException {
    return findDue(session, group, limit, "").ids();
  }

  /**
   * Returns the end of the query of due sequences. Rows that cannot be skipped are locked after it,
   * in the order of ids, against deadlocks: due times change.
   */
  private static String lock(SqlSession session) {
    return session.dialect().hasSkipLocked() ? session.dialect().skipLocked() : "";
  }

  /**
   * Returns due sequences. If more are due than {@code limit}, those with a requested run or
   * restart come first, which would otherwise wait for all others that were due before.
   */
  private static DueSequences findDue(SqlSession session, String group, int limit, String lock)
      throws SQLException {
    Params params = Params.of("group", group).set("limit", limit);
    DueSequences due = findDue(session, DUE + lock, params);
    if (due.sequences.size() < limit) {
      return due;
    }
    List<DueSequence> requested = findDue(session, DUE_REQUESTED + lock, params).sequences;
    Set<String> ids = requested.stream().map(DueSequence::id).collect(Collectors.toSet());
    Stream<DueSequence> others =
        due.sequences.stream().filter(sequence -> !ids.contains(sequence.id));
    List<DueSequence> first = Stream.concat(requested.stream(), others).limit(limit).toList();
    return new DueSequences(first, true, due.now);
  }

  private static DueSequences findDue(SqlSession session, String sql, Params params)
      throws SQLException {
    List<DueSequence> sequences = new ArrayList<>();
    List<Instant> now = new ArrayList<>();
    session.forEachRow(
        sql,
        params,
        row -> {
          sequences.add(
              new DueSequence(row.getString("sequence_id"), row.getLong("parameter_bytes")));
          now.add(ColumnTimes.read(row, "now"));
        });
    return new DueSequences(sequences, false, now.isEmpty() ? null : now.getFirst());
  }

  /**
   * Locks and reads the sequences that were found, and fires those that are still due. Those
   * without a plan are put off.
   */
  private static FireBatchResult fireFound(
      SqlSession session, String group, DueSequences found, Planner planner) throws SQLException {
    if (found.now == null) {
      return FireBatchResult.NONE;
    }
    Instant now = found.now;
    List<String> ids = found.ids();
    if (!session.dialect().hasSkipLocked()) {
      SequenceRows.lock(session, ids);
    }
    List<StoredSequence> due =
        SequenceRows.read(session, ids).stream()
            .filter(sequence -> sequence.executorGroup().equals(group))
            .filter(sequence -> isDue(sequence, now))
            .sorted(Comparator.comparing(sequence -> !sequence.flags().startRequested()))
            .toList();
    if (due.isEmpty()) {
      return new FireBatchResult(ids.size(), found.more, Map.of());
    }
    List<FirePlan> firePlans = planner.plan(now, due);
    Set<String> unplanned = unplanned(due, firePlans);
    WrittenPlans written = write(session, firePlans, existingFires(session, firePlans));
    if (!unplanned.isEmpty()) {
      putOff(session, unplanned);
    }
    cancel(session, written.firePlans);
    return new FireBatchResult(ids.size(), found.more, written.created);
  }

  /** Returns the sequences without a plan, after a check of the others. */
  private static Set<String> unplanned(List<StoredSequence> due, List<FirePlan> firePlans) {
    Map<String, Integer> unplanned = new HashMap<>();
    due.forEach(sequence -> unplanned.put(sequence.sequenceId(), sequence.revision()));
    for (FirePlan firePlan : firePlans) {
      Integer revision = unplanned.remove(firePlan.sequenceId());
      if (revision == null || revision != firePlan.revision()) {
        throw new IllegalArgumentException(
            "The planner fires sequence '"
                + firePlan.sequenceId()
                + "' of revision "
                + firePlan.revision()
                + ", expected at most one fire for each sequence that it was asked about, of the"
                + " revision that it was given.");
      }
    }
    return unplanned.keySet();
  }

  private static boolean isDue(StoredSequence sequence, Instant now) {
    Instant due = sequence.times().due();
    return due != null && !due.isAfter(now);
  }

  /** Returns the due time of the next sequence of a group; empty for none. */
  static Optional<Instant> nextDue(SqlSession session, String group) throws SQLException {
    return session.first(
        NEXT_DUE,
        Params.of("group", group).set("first", ColumnTimes.FIRST),
        row -> ColumnTimes.read(row, "due_at"));
  }

  static int putOff(SqlSession session, Collection<String> sequenceIds) throws SQLException {
    return session.update(PUT_OFF, Params.none().texts("ids", sequenceIds, id -> id));
  }

  /** Writes one fire. A slot that has been fired is a duplicate, whatever the revision. */
  static FireResult writeFire(SqlSession session, FirePlan firePlan) throws SQLException {
    Optional<Integer> revision =
        session.first(LOCK, Params.of("id", firePlan.sequenceId()), row -> row.getInt("revision"));
    if (revision.isEmpty()) {
      return new FireResult.Missing();
    }
    ExistingFires existingFires = existingFires(session, List.of(firePlan));
    if (!existingFires.sameWindow.isEmpty()) {
      return new FireResult.Duplicate(existingFires.sameWindow.values().iterator().next());
    }
    if (revision.get() != firePlan.revision()) {
      return new FireResult.Stale(revision.get());
    }
    WrittenPlans written = write(session, List.of(firePlan), existingFires);
    cancel(session, written.firePlans);
    Long existing = written.existing.get(firePlan.sequenceId());
    return existing == null
        ? new FireResult.Written(written.created.get(firePlan.sequenceId()), revision.get() + 1)
        : new FireResult.Duplicate(existing);
  }

  /** Returns the executions of the slots of {@code firePlans}. */
  private static ExistingFires existingFires(SqlSession session, List<FirePlan> firePlans)
      throws SQLException {
    Map<String, SlotRecord> firedRecords = new HashMap<>();
    for (FirePlan firePlan : firePlans) {
      SlotRecord slotRecord = firePlan.executionRecord();
      if (slotRecord != null) {
        firedRecords.put(firePlan.sequenceId(), slotRecord);
      }
    }
    ExistingFires existingFires = new ExistingFires(new HashMap<>(), new HashSet<>());
    if (!firedRecords.isEmpty()) {
      List<Map.Entry<String, SlotRecord>> slots = List.copyOf(firedRecords.entrySet());
      session.forEachRow(
          FIRED,
          Params.none()
              .texts("ids", slots, Map.Entry::getKey)
              .texts("slots", slots, slot -> ColumnTimes.text(slot.getValue().slot()))
              .ints("fireNumbers", slots, slot -> slot.getValue().fireNumber()),
          row -> {
            String id = row.getString("sequence_id");
            SlotRecord slotRecord = Objects.requireNonNull(firedRecords.get(id));
            if (slotRecord.isSame(row.getInt("fire_number"), SequenceRows.window(row))) {
              existingFires.sameWindow.put(id, row.getLong("execution_id"));
            } else {
              existingFires.otherWindow.add(id);
            }
          });
    }
    return existingFires;
  }

  /** Starts the executions of plans, writes their slot records, and updates their sequences. */
  private static WrittenPlans write(
      SqlSession session, List<FirePlan> planned, ExistingFires existingFires) throws SQLException {
    List<FirePlan> firePlans =
        planned.stream()
            .map(firePlan ->
                existingFires.otherWindow.contains(firePlan.sequenceId())
                    ? firePlan.renumbered()
                    : firePlan)
            .toList();
    List<FirePlan> starting = new ArrayList<>();
    Map<String, Long> existing = new HashMap<>();
    for (FirePlan firePlan : firePlans) {
      Long before = existingFires.sameWindow.get(firePlan.sequenceId());
      if (before != null) {
        existing.put(firePlan.sequenceId(), before);
      } else if (firePlan.executionRecord() != null) {
        starting.add(firePlan);
      }
    }
    StartedExecutions started = start(session, starting);
    existing.putAll(started.existing);
    Map<String, Long> executions = started.toRecord;
    List<Row> rows = new ArrayList<>();
    for (FirePlan firePlan : firePlans) {
      for (SlotRecord slotRecord : firePlan.slotRecords()) {
        Long executionId = slotRecord.isFired() ? executions.get(firePlan.sequenceId()) : null;
        if (!slotRecord.isFired() || executionId != null) {
          rows.add(new Row(firePlan.sequenceId(), slotRecord, executionId));
        }
      }
    }
    insert(session, rows);
    update(session, firePlans, executions);
    return new WrittenPlans(
        started.created,
        existing,
        firePlans.stream().filter(firePlan -> !isAlreadyFired(firePlan, executions)).toList());
  }

  /**
   * Starts executions. An existing execution with the same external id replaces a new one, unless
   * it belongs to a fire already.
   */
  private static StartedExecutions start(SqlSession session, List<FirePlan> firePlans)
      throws SQLException {
    if (firePlans.isEmpty()) {
      return new StartedExecutions(Map.of(), Map.of(), Map.of());
    }
    List<NewInstance> instances =
        firePlans.stream().map(FirePlan::execution).filter(Objects::nonNull).toList();
    instances.forEach(session.hooks()::requireWriters);
    session.limitLockWait(InstanceInserter.LOCK_WAIT);
    List<StartResult> results = InstanceInserter.start(session, session.dialect(), instances);
    Map<String, Long> created = new HashMap<>();
    Map<String, Long> existing = new HashMap<>();
    for (int i = 0; i < firePlans.size(); i++) {
      StartResult result = results.get(i);
      String sequenceId = firePlans.get(i).sequenceId();
      (result instanceof StartResult.Created ? created : existing).put(sequenceId, result.id());
    }
    Map<String, Long> toRecord = new HashMap<>(created);
    if (!existing.isEmpty()) {
      Set<Long> known =
          new HashSet<>(
              session.query(
                  KNOWN,
                  Params.none().longs("ids", existing.values()),
                  row -> row.getLong("execution_id")));
      toRecord.putAll(existing);
      toRecord.values().removeAll(known);
    }
    hint(session, instances);
    return new StartedExecutions(created, existing, toRecord);
  }

  private static void hint(SqlSession session, List<NewInstance> instances) throws SQLException {
    Set<String> groups = new HashSet<>();
    for (NewInstance instance : instances) {
      if (groups.add(instance.origin().executorGroup())) {
        session.dialect().hint(session, instance.origin().executorGroup());
      }
    }
  }

  /** Records slots of a sequence that do not fire, since its schedule is changed. */
  static void recordUnfired(SqlSession session, String sequenceId, List<SlotRecord> unfired)
      throws SQLException {
    if (unfired.stream().anyMatch(SlotRecord::isFired)) {
      throw new IllegalArgumentException(
          "A change of sequence '"
              + sequenceId
              + "' fires a slot, expected only slots that do not fire.");
    }
    insert(session, unfired.stream().map(one -> new Row(sequenceId, one, null)).toList());
  }

  private static void insert(SqlSession session, List<Row> rows) throws SQLException {
    if (rows.isEmpty()) {
      return;
    }
    session.update(
        INSERT,
        Params.none()
            .texts("ids", rows, Row::sequenceId)
            .texts("slots", rows, row -> ColumnTimes.text(row.slotRecord.slot()))
            .ints("fireNumbers", rows, row -> row.slotRecord.fireNumber())
            .texts("froms", rows, row -> bound(row.slotRecord, DataWindow::from))
            .texts("tos", rows, row -> bound(row.slotRecord, DataWindow::to))
            .texts("outcomes", rows, row -> row.slotRecord.outcome().name())
            .texts("causes", rows, row -> row.slotRecord.cause())
            .texts("reasons", rows, row -> ColumnTexts.reason(row.slotRecord.reason()))
            .ints("counts", rows, row -> row.slotRecord.count())
            .longs("executions", rows, Row::executionId));
  }

  private static void update(
      SqlSession session, List<FirePlan> firePlans, Map<String, Long> executions)
      throws SQLException {
    if (firePlans.isEmpty()) {
      return;
    }
    session.update(
        UPDATE,
        Params.none()
            .texts("ids", firePlans, FirePlan::sequenceId)
            .ints("revisions", firePlans, FirePlan::revision)
            .texts("nextRuns", firePlans, firePlan -> text(firePlan.update().times().nextRun()))
            .ints(
                "nextRunOffsets",
                firePlans,
                firePlan -> SequenceRows.seconds(firePlan.update().times().nextRunOffset()))
            .texts("dues", firePlans, firePlan -> text(firePlan.update().times().due()))
            .booleans("runRequests", firePlans, firePlan -> firePlan.update().runRequested())
            .booleans("restarts", firePlans, firePlan -> firePlan.update().restart())
            .ints(
                "definitionVersions", firePlans, firePlan -> firePlan.update().definitionVersion())
            .longs("executions", firePlans, firePlan -> executions.get(firePlan.sequenceId()))
            .booleans("alreadyFired", firePlans, firePlan -> isAlreadyFired(firePlan, executions)));
  }

  /** Returns true if the plan has an execution, but its slot has fired already. */
  private static boolean isAlreadyFired(FirePlan firePlan, Map<String, Long> executions) {
    return firePlan.execution() != null && !executions.containsKey(firePlan.sequenceId());
  }

  private static @Nullable String bound(
      SlotRecord slotRecord, Function<DataWindow, Instant> bound) {
    return slotRecord.window() == null ? null : ColumnTimes.text(bound.apply(slotRecord.window()));
  }

  private static @Nullable String text(@Nullable Instant time) {
    return time == null ? null : ColumnTimes.text(time);
  }

  /**
   * Cancels executions, except for those that have ended meanwhile. A handler that still runs is
   * stopped by the next heartbeat of its executor, which finds the lease gone.
   */
  private static void cancel(SqlSession session, List<FirePlan> firePlans) throws SQLException {
    for (FirePlan firePlan : firePlans) {
      Cancellation cancellation = firePlan.cancel();
      if (cancellation != null) {
        SqlOperatorStore.apply(
            session,
            cancellation.executionId(),
            new OperatorCommand.Cancel(),
            cancellation.action());
      }
    }
  }
}
