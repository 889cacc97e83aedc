package io.millrace.store.sql;

import io.millrace.instance.Progress;
import io.millrace.store.SaveRequest;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The parts of a multi-row save that are the same for every database. */
final class TransitionSql {

  /** The transitions as a table {@code d}, with the columns of {@link #params}. */
  static final String ROWS =
      """
      (SELECT v.*, v.now - v.took * INTERVAL '0.000001' SECOND AS started_at,
              COALESCE(CAST(v.due_at AS timestamp with time zone),
                       v.now + v.due_after * INTERVAL '0.000001' SECOND) AS due
       FROM (SELECT v.*, (SELECT :now) AS now
             FROM UNNEST(
               CAST(:ids AS bigint ARRAY), CAST(:executorIds AS bigint ARRAY),
               CAST(:leaseVersions AS integer ARRAY), CAST(:seqs AS integer ARRAY),
               CAST(:types AS varchar ARRAY), CAST(:fromStates AS varchar ARRAY),
               CAST(:reasons AS varchar ARRAY), CAST(:errors AS text ARRAY),
               CAST(:entryAttempts AS integer ARRAY), CAST(:tooks AS bigint ARRAY),
               CAST(:actors AS varchar ARRAY), CAST(:states AS varchar ARRAY),
               CAST(:statuses AS varchar ARRAY), CAST(:dueAts AS varchar ARRAY),
               CAST(:dueAfters AS bigint ARRAY), CAST(:waits AS varchar ARRAY),
               CAST(:newVisits AS boolean ARRAY), CAST(:keeping AS boolean ARRAY),
               CAST(:ending AS boolean ARRAY), CAST(:attempts AS integer ARRAY),
               CAST(:changes AS text ARRAY), CAST(:variableCounts AS integer ARRAY),
               CAST(:children AS integer ARRAY), CAST(:consumed AS integer ARRAY),
               CAST(:progressDone AS bigint ARRAY), CAST(:progressTotals AS bigint ARRAY),
               CAST(:progressTexts AS varchar ARRAY))
               AS v(id, executor_id, lease_version, seq, type, from_state, reason, error,
                    entry_attempt, took, actor, state, status, due_at, due_after, waiting_for,
                    new_visit, keeping, ending, attempt, changes, variable_count, children, consumed,
                    progress_done, progress_total, progress_text)) v) d
      """;

  /**
   * The transitions as a table like {@link #ROWS}, for {@linkplain
   * TransitionWriter.IndexedSave#isPlain plain} ones of one executor: each column of a batch costs
   * the database about as much time as an index entry.
   */
  static final String PLAIN_ROWS =
      """
      (SELECT v.*, v.now - v.took * INTERVAL '0.000001' SECOND AS started_at,
              CAST(NULL AS timestamp with time zone) AS due,
              CAST(:executorId AS bigint) AS executor_id, CAST(:type AS varchar) AS type,
              CAST(NULL AS text) AS error, CAST(NULL AS varchar) AS actor,
              CAST(NULL AS varchar) AS waiting_for, CAST(NULL AS text) AS changes,
              0 AS children, 0 AS consumed, CAST(NULL AS bigint) AS progress_done,
              CAST(NULL AS bigint) AS progress_total, CAST(NULL AS varchar) AS progress_text,
              NOT v.keeping AS ending
       FROM (SELECT v.*, (SELECT :now) AS now
             FROM UNNEST(
               CAST(:ids AS bigint ARRAY), CAST(:leaseVersions AS integer ARRAY),
               CAST(:seqs AS integer ARRAY), CAST(:fromStates AS varchar ARRAY),
               CAST(:reasons AS varchar ARRAY), CAST(:entryAttempts AS integer ARRAY),
               CAST(:tooks AS bigint ARRAY), CAST(:states AS varchar ARRAY),
               CAST(:statuses AS varchar ARRAY), CAST(:newVisits AS boolean ARRAY),
               CAST(:keeping AS boolean ARRAY), CAST(:attempts AS integer ARRAY),
               CAST(:variableCounts AS integer ARRAY))
               AS v(id, lease_version, seq, from_state, reason, entry_attempt, took, state, status,
                    new_visit, keeping, attempt, variable_count)) v) d
      """;

  /**
   * Assignments of a transition in {@code d} to the row {@code w}.
   *
   * <ul>
   *   <li>{@code entered_seq} and {@code entered_at} change with a new visit of a state only.
   *   <li>{@code wait_until} is when a wait ends without its event. Without a wait it keeps the due
   *       time that the handler set, if a wake-up during the handler overrides it.
   *   <li>{@code executor_id} and {@code wake_at} stay while the executor keeps the lease.
   *   <li>{@code next_activation_at} is now after such a wake-up, and for a wait for children that
   *       have all ended. A failed attempt after such a wait has an attempt number and a due time,
   *       and waits for its back-off.
   *   <li>The {@code progress_} columns stay unless the handler reported progress.
   * </ul>
   */
  static final String ASSIGNMENTS =
      """
      state = d.state,
      status = d.status,
      reason = d.reason,
      seq = w.seq + 1,
      attempt = d.attempt,
      recovery_count = 0,
      entered_seq = CASE WHEN d.new_visit THEN w.seq + 1 ELSE w.entered_seq END,
      entered_at = CASE WHEN d.new_visit THEN d.now ELSE w.entered_at END,
      modified_at = d.now,
      ended_at = CASE WHEN d.ending THEN d.now END,
      waiting_for = d.waiting_for,
      wait_until = CASE WHEN d.waiting_for IS NOT NULL OR (w.wake_at IS NOT NULL AND NOT d.keeping)
                        THEN d.due END,
      executor_id = CASE WHEN d.keeping THEN w.executor_id END,
      wake_at = CASE WHEN d.keeping THEN w.wake_at END,
      next_activation_at = CASE
        WHEN d.keeping THEN w.next_activation_at
        WHEN d.ending THEN NULL
        WHEN w.wake_at IS NOT NULL THEN d.now
        WHEN d.waiting_for = 'children' AND w.open_child_count + d.children = 0
          AND (d.attempt = 0 OR d.due IS NULL) THEN d.now
        ELSE d.due END,
      variable_count = d.variable_count,
      inbox_count = w.inbox_count - d.consumed,
      child_count = w.child_count + d.children,
      open_child_count = w.open_child_count + d.children,
      progress_done = COALESCE(d.progress_done, w.progress_done),
      progress_total = CASE WHEN d.progress_done IS NULL THEN w.progress_total
                            ELSE d.progress_total END,
      progress_text = CASE WHEN d.progress_done IS NULL THEN w.progress_text
                           ELSE d.progress_text END
      """;

  /**
   * Columns of {@code d} that {@link #INSERT_HISTORY} reads, under the same names. {@code seq} is
   * that of the fence.
   */
  static final String ENTRY =
      """
      d.id, d.seq, d.type, d.from_state, d.state, d.reason, d.error, d.changes, d.executor_id,
      d.lease_version, d.entry_attempt, d.actor, d.started_at, d.now
      """;

  /**
   * Start of the insert of the history entries of transitions in {@code d}. An entry has the {@code
   * seq} after that of the fence.
   */
  static final String INSERT_HISTORY =
      """
      INSERT INTO millrace_history (instance_id, seq, type, from_state, to_state, reason,
        error, variables, executor_id, lease_version, attempt, actor, started_at, ended_at)
      SELECT d.id, d.seq + 1, d.type, d.from_state, d.state, d.reason, d.error, d.changes,
        d.executor_id, d.lease_version, d.entry_attempt, d.actor, d.started_at, d.now
      FROM
      """;

  private TransitionSql() {}

  /** Returns the parameters of {@link #ROWS}. */
  static Params params(List<TransitionWriter.IndexedSave> writes) {
    Params params = common(writes);
    entry(params, writes);
    target(params, writes);
    return changes(params, writes);
  }

  /** Returns the parameters of {@link #PLAIN_ROWS}, of at least one transition. */
  static Params plainParams(List<TransitionWriter.IndexedSave> writes) {
    SaveRequest first = writes.getFirst().save();
    return common(writes)
        .set("executorId", first.fence().executorId())
        .set("type", first.entry().type().code());
  }

  private static Params common(List<TransitionWriter.IndexedSave> writes) {
    return Params.none()
        .longs("ids", writes, w -> w.save().fence().instanceId())
        .ints("leaseVersions", writes, w -> w.save().fence().leaseVersion())
        .ints("seqs", writes, w -> w.save().fence().seq())
        .texts("fromStates", writes, w -> w.save().entry().from())
        .texts("reasons", writes, w -> ColumnTexts.reason(w.save().entry().reason()))
        .ints("entryAttempts", writes, w -> w.save().entry().attempt())
        .longs("tooks", writes, w -> ColumnTimes.micros(w.save().entry().took()))
        .texts("states", writes, w -> w.save().target().state())
        .texts("statuses", writes, w -> w.save().target().status().code())
        .booleans("newVisits", writes, w -> w.save().target().newVisit())
        .booleans("keeping", writes, TransitionWriter.IndexedSave::keeps)
        .ints("attempts", writes, w -> w.save().target().attempt())
        .ints("variableCounts", writes, w -> w.save().changes().variableCount());
  }

  private static void entry(Params params, List<TransitionWriter.IndexedSave> writes) {
    params
        .longs("executorIds", writes, w -> w.save().fence().executorId())
        .texts("types", writes, w -> w.save().entry().type().code())
        .texts("errors", writes, w -> ColumnTexts.error(w.save().entry().error()))
        .texts("actors", writes, w -> ColumnTexts.actor(w.save().entry().actor()));
  }

  private static void target(Params params, List<TransitionWriter.IndexedSave> writes) {
    params
        .texts("dueAts", writes, w -> w.ends() ? null : ColumnTimes.at(w.save().target().due()))
        .longs(
            "dueAfters", writes, w -> w.ends() ? null : ColumnTimes.after(w.save().target().due()))
        .texts("waits", writes, w -> w.save().target().awaited())
        .booleans("ending", writes, TransitionWriter.IndexedSave::ends);
  }

  private static Params changes(Params params, List<TransitionWriter.IndexedSave> writes) {
    return params
        .texts("changes", writes, w -> ColumnTexts.object(w.save().changes().variables()))
        .ints("children", writes, TransitionWriter.IndexedSave::children)
        .ints("consumed", writes, TransitionWriter.IndexedSave::consumed)
        .longs("progressDone", writes, progress(Progress::done))
        .longs("progressTotals", writes, progress(Progress::total))
        .texts("progressTexts", writes, progress(p -> ColumnTexts.reason(p.text())));
  }

  private static <T> Function<TransitionWriter.IndexedSave, @Nullable T> progress(
      Function<Progress, @Nullable T> value) {
    return indexedSave -> {
      SaveRequest.Changes changes = indexedSave.save().changes();
      return changes.progress() == null ? null : value.apply(changes.progress());
    };
  }
}
