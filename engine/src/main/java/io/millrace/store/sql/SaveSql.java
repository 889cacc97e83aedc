package io.millrace.store.sql;

import io.millrace.instance.Progress;
import io.millrace.store.Save;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The parts of a multi-row save that are the same for every database. */
final class SaveSql {

  /** The writes as a table {@code d}, with the columns of {@link #params}. */
  static final String ROWS =
      """
      (SELECT v.*, v.now - v.took * INTERVAL '0.000001' SECOND AS started,
              COALESCE(CAST(v.due_at AS timestamp with time zone),
                       v.now + v.due_after * INTERVAL '0.000001' SECOND) AS due
       FROM (SELECT v.*, (SELECT :now) AS now
             FROM UNNEST(
               CAST(:ids AS bigint ARRAY), CAST(:executorIds AS bigint ARRAY),
               CAST(:leaseVersions AS integer ARRAY), CAST(:seqs AS integer ARRAY),
               CAST(:types AS varchar ARRAY), CAST(:fromStates AS varchar ARRAY),
               CAST(:reasons AS varchar ARRAY), CAST(:errors AS text ARRAY),
               CAST(:tries AS integer ARRAY), CAST(:tooks AS bigint ARRAY),
               CAST(:actors AS varchar ARRAY), CAST(:states AS varchar ARRAY),
               CAST(:statuses AS varchar ARRAY), CAST(:dueAts AS varchar ARRAY),
               CAST(:dueAfters AS bigint ARRAY), CAST(:waits AS varchar ARRAY),
               CAST(:entering AS boolean ARRAY), CAST(:keeping AS boolean ARRAY),
               CAST(:ending AS boolean ARRAY), CAST(:attempts AS integer ARRAY),
               CAST(:changes AS text ARRAY), CAST(:variableCounts AS integer ARRAY),
               CAST(:children AS integer ARRAY), CAST(:consumed AS integer ARRAY),
               CAST(:progressDone AS bigint ARRAY), CAST(:progressTotals AS bigint ARRAY),
               CAST(:progressTexts AS varchar ARRAY))
               AS v(id, executor_id, lease_version, seq, type, from_state, reason, error, try, took,
                    actor, state, status, due_at, due_after, waiting_for, entering, keeping, ending,
                    attempt, changes, variable_count, children, consumed, progress_done,
                    progress_total, progress_text)) v) d
      """;

  /**
   * The right to write, of {@code d} to {@code w}. The executor is compared in a way that no index
   * can serve, or PostgreSQL may look each row up among all rows of the executor.
   */
  static final String FENCE =
      """
      w.id = d.id AND w.executor_id IS NOT DISTINCT FROM d.executor_id
        AND w.lease_version = d.lease_version AND w.seq = d.seq
      """;

  /** What a write in {@code d} makes of the row {@code w}. */
  static final String ASSIGNMENTS =
      """
      state = d.state,
      status = d.status,
      reason = d.reason,
      seq = w.seq + 1,
      attempt = d.attempt,
      recoveries = 0,
      entered_seq = CASE WHEN d.entering THEN w.seq + 1 ELSE w.entered_seq END,
      entered = CASE WHEN d.entering THEN d.now ELSE w.entered END,
      modified = d.now,
      ended = CASE WHEN d.ending THEN d.now END,
      waiting_for = d.waiting_for,
      wait_until = CASE WHEN d.waiting_for IS NOT NULL OR (w.wake_at IS NOT NULL AND NOT d.keeping)
                        THEN d.due END,
      executor_id = CASE WHEN d.keeping THEN w.executor_id END,
      wake_at = CASE WHEN d.keeping THEN w.wake_at END,
      next_activation = CASE
        WHEN d.keeping THEN w.next_activation
        WHEN d.ending THEN NULL
        WHEN w.wake_at IS NOT NULL THEN d.now
        WHEN d.waiting_for = 'children' AND w.children_open + d.children = 0 THEN d.now
        ELSE d.due END,
      variables = d.variable_count,
      inbox = w.inbox - d.consumed,
      children_total = w.children_total + d.children,
      children_open = w.children_open + d.children,
      progress_done = COALESCE(d.progress_done, w.progress_done),
      progress_total = CASE WHEN d.progress_done IS NULL THEN w.progress_total
                            ELSE d.progress_total END,
      progress_text = CASE WHEN d.progress_done IS NULL THEN w.progress_text
                           ELSE d.progress_text END
      """;

  /** The history entries of writes in {@code d} follow. */
  static final String INSERT_ACTIONS =
      """
      INSERT INTO millrace_workflow_action (workflow_id, seq, type, from_state, to_state, reason,
        error, variables, executor_id, lease_version, attempt, actor, started, ended)
      SELECT d.id, d.seq + 1, d.type, d.from_state, d.state, d.reason, d.error, d.changes,
        d.executor_id, d.lease_version, d.try, d.actor, d.started, d.now
      FROM
      """;

  private SaveSql() {}

  /** The parameters of {@link #ROWS}. */
  static Params params(List<Saves.Write> writes) {
    Params params = Params.none();
    fence(params, writes);
    entry(params, writes);
    target(params, writes);
    return changes(params, writes);
  }

  private static void fence(Params params, List<Saves.Write> writes) {
    params
        .longs("ids", writes, w -> w.save().fence().instanceId())
        .longs("executorIds", writes, w -> w.save().fence().executorId())
        .ints("leaseVersions", writes, w -> w.save().fence().leaseVersion())
        .ints("seqs", writes, w -> w.save().fence().seq());
  }

  private static void entry(Params params, List<Saves.Write> writes) {
    params
        .texts("types", writes, w -> w.save().entry().type().code())
        .texts("fromStates", writes, w -> w.save().entry().from())
        .texts("reasons", writes, w -> Texts.reason(w.save().entry().reason()))
        .texts("errors", writes, w -> Texts.error(w.save().entry().error()))
        .ints("tries", writes, w -> w.save().entry().attempt())
        .longs("tooks", writes, w -> Times.micros(w.save().entry().took()))
        .texts("actors", writes, w -> Texts.actor(w.save().entry().actor()));
  }

  private static void target(Params params, List<Saves.Write> writes) {
    params
        .texts("states", writes, w -> w.save().target().state())
        .texts("statuses", writes, w -> w.save().target().status().code())
        .texts("dueAts", writes, w -> w.ends() ? null : Times.at(w.save().target().due()))
        .longs("dueAfters", writes, w -> w.ends() ? null : Times.after(w.save().target().due()))
        .texts("waits", writes, w -> w.ends() ? null : w.save().target().waitingFor())
        .booleans("entering", writes, w -> w.save().target().entering())
        .booleans("keeping", writes, Saves.Write::keeps)
        .booleans("ending", writes, Saves.Write::ends)
        .ints("attempts", writes, w -> w.save().target().attempt());
  }

  private static Params changes(Params params, List<Saves.Write> writes) {
    return params
        .texts("changes", writes, w -> Texts.object(w.save().changes().variables()))
        .ints("variableCounts", writes, w -> w.save().changes().variableCount())
        .ints("children", writes, Saves.Write::children)
        .ints("consumed", writes, Saves.Write::consumed)
        .longs("progressDone", writes, progress(Progress::done))
        .longs("progressTotals", writes, progress(Progress::total))
        .texts("progressTexts", writes, progress(p -> Texts.reason(p.text())));
  }

  private static <T> Function<Saves.Write, @Nullable T> progress(
      Function<Progress, @Nullable T> value) {
    return write -> {
      Save.Changes changes = write.save().changes();
      return changes.progress() == null ? null : value.apply(changes.progress());
    };
  }
}
