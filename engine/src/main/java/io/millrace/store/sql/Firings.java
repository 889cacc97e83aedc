package io.millrace.store.sql;

import io.millrace.instance.Deed;
import io.millrace.schedule.DataWindow;
import io.millrace.store.DeedCommand;
import io.millrace.store.NewInstance;
import io.millrace.store.OperatorStore.DeedResult;
import io.millrace.store.ScheduleStore.Cancel;
import io.millrace.store.ScheduleStore.FireResult;
import io.millrace.store.ScheduleStore.Fired;
import io.millrace.store.ScheduleStore.Firing;
import io.millrace.store.ScheduleStore.NewFire;
import io.millrace.store.ScheduleStore.Planner;
import io.millrace.store.ScheduleStore.StoredWorkflow;
import io.millrace.store.StartResult;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes what becomes of slots. Whoever fires a workflow holds the lock of its row, so that a slot
 * that is found unfired stays so.
 */
final class Firings {

  /** Due, in the order of the index. An index cannot be searched with a volatile function. */
  private static final String DUE =
      """
      SELECT s.workflow_id, (SELECT :now) AS now FROM millrace_schedule s
      WHERE s.executor_group = :group AND s.due <= (SELECT :now)
      ORDER BY s.executor_group, s.due, s.workflow_id LIMIT :limit
      """;

  private static final String DUE_ONE =
      """
      SELECT s.workflow_id, (SELECT :now) AS now FROM millrace_schedule s
      WHERE s.workflow_id = :id AND s.executor_group = :group AND s.due <= (SELECT :now)
      """;

  /** H2 finds the index by the order, and begins behind those that are not due by themselves. */
  private static final String NEXT_DUE =
      """
      SELECT due FROM millrace_schedule WHERE executor_group = :group AND due >= :first
      ORDER BY executor_group, due LIMIT 1
      """;

  private static final String LOCK =
      "SELECT revision FROM millrace_schedule WHERE workflow_id = :id FOR UPDATE";

  /** Nothing came of them; others shall have their turn before they come again. */
  private static final String PUT_OFF =
      """
      UPDATE millrace_schedule SET due = :now + INTERVAL '10' SECOND
      WHERE workflow_id = ANY(CAST(:ids AS varchar ARRAY))
      """;

  private static final String FIRED =
      """
      SELECT f.workflow_id, f.attempt, f.window_from, f.window_to, f.execution_id
      FROM (SELECT d.workflow_id, CAST(d.slot AS timestamp with time zone) AS slot, d.attempt
            FROM UNNEST(CAST(:ids AS varchar ARRAY), CAST(:slots AS varchar ARRAY),
              CAST(:attempts AS integer ARRAY)) AS d(workflow_id, slot, attempt)\
      """
          + Params.LOOKED_UP
          + """
          ) d JOIN millrace_schedule_fire f ON f.workflow_id = d.workflow_id AND f.slot = d.slot
            AND f.attempt <= d.attempt AND (f.attempt = d.attempt OR d.attempt = 0)
            AND f.execution_id IS NOT NULL
          """;

  private static final String KNOWN =
      """
      SELECT execution_id FROM millrace_schedule_fire
      WHERE execution_id = ANY(CAST(:ids AS bigint ARRAY))
      """;

  private static final String INSERT =
      """
      INSERT INTO millrace_schedule_fire (workflow_id, slot, attempt, window_from, window_to,
        outcome, trigger_name, reason, slots, execution_id, at, unsettled)
      SELECT d.workflow_id, CAST(d.slot AS timestamp with time zone), d.attempt,
        CAST(d.window_from AS timestamp with time zone),
        CAST(d.window_to AS timestamp with time zone), d.outcome, d.trigger_name, d.reason, d.slots,
        d.execution_id, d.now, CASE WHEN d.execution_id IS NOT NULL THEN TRUE END
      FROM (SELECT v.*, (SELECT :now) AS now
            FROM UNNEST(CAST(:ids AS varchar ARRAY), CAST(:slots AS varchar ARRAY),
              CAST(:attempts AS integer ARRAY), CAST(:froms AS varchar ARRAY),
              CAST(:tos AS varchar ARRAY), CAST(:outcomes AS varchar ARRAY),
              CAST(:triggers AS varchar ARRAY), CAST(:reasons AS varchar ARRAY),
              CAST(:counts AS integer ARRAY), CAST(:executions AS bigint ARRAY))
              AS v(workflow_id, slot, attempt, window_from, window_to, outcome, trigger_name, reason,
                slots, execution_id)) d
      """;

  /** A wish of which nothing came, since its slot had been fired, is still to be granted. */
  private static final String UPDATE =
      """
      MERGE INTO millrace_schedule s USING (
        SELECT v.workflow_id, v.revision, CAST(v.next_run AS timestamp with time zone) AS next_run,
          CAST(v.due AS timestamp with time zone) AS due, v.immediate, v.restart, v.shape,
          v.execution_id, v.idle, (SELECT :now) AS now
        FROM UNNEST(CAST(:ids AS varchar ARRAY), CAST(:revisions AS integer ARRAY),
          CAST(:nextRuns AS varchar ARRAY), CAST(:dues AS varchar ARRAY),
          CAST(:immediates AS boolean ARRAY), CAST(:restarts AS boolean ARRAY),
          CAST(:shapes AS integer ARRAY), CAST(:executions AS bigint ARRAY),
          CAST(:idles AS boolean ARRAY))
          AS v(workflow_id, revision, next_run, due, immediate, restart, shape, execution_id, idle)\
      """
          + Params.LOOKED_UP
          + """
          ) d ON (s.workflow_id = d.workflow_id AND s.revision = d.revision)
          WHEN MATCHED THEN UPDATE SET next_run = d.next_run,
            due = CASE WHEN d.idle AND (s.immediate OR s.restart) THEN d.now ELSE d.due END,
            immediate = CASE WHEN d.idle THEN s.immediate ELSE d.immediate END,
            restart = CASE WHEN d.idle THEN s.restart ELSE d.restart END, shape = d.shape, modified = d.now, revision = d.revision + 1,
            execution_id = COALESCE(d.execution_id, s.execution_id)
          """;

  private static final String ACTOR = "schedule";

  /**
   * What slots have executions already.
   *
   * @param same those for the same window, by workflow
   * @param others workflows whose slots have executions for other windows
   */
  private record Taken(Map<String, Long> same, Set<String> others) {}

  /** A fire on its way into the database. */
  private record Row(String workflowId, NewFire fire, @Nullable Long executionId) {}

  /**
   * What came of firings.
   *
   * @param made executions that were made, by workflow
   * @param existing executions that had been made before for the same slot, by workflow
   * @param firings those that came to something
   */
  private record Written(
      Map<String, Long> made, Map<String, Long> existing, List<Firing> firings) {}

  private Firings() {}

  /** Asks {@code planner} about what is due, and writes what it wants. */
  static Fired fire(Session session, String group, int limit, Planner planner) throws SQLException {
    return fire(session, group, DUE, Params.of("limit", limit), planner);
  }

  /** The same for one workflow, if it is due. */
  static Fired fireOne(Session session, String group, String workflowId, Planner planner)
      throws SQLException {
    return fire(session, group, DUE_ONE, Params.of("id", workflowId), planner);
  }

  private static Fired fire(
      Session session, String group, String due, Params params, Planner planner)
      throws SQLException {
    // Who cannot pass over locked rows locks them in the order of ids: that of time changes.
    boolean ordered = session.dialect().embedded();
    List<String> ids = new ArrayList<>();
    List<Instant> now = new ArrayList<>();
    session.visit(
        ordered ? due : due + session.dialect().lockFree(),
        params.set("group", group),
        row -> {
          ids.add(row.getString("workflow_id"));
          now.add(Times.read(row, "now"));
        });
    if (ordered && !ids.isEmpty()) {
      WorkflowRows.lock(session, ids);
    }
    List<StoredWorkflow> locked =
        WorkflowRows.read(session, ids).stream()
            .filter(workflow -> workflow.executorGroup().equals(group))
            .filter(workflow -> isDue(workflow, now.getFirst()))
            .toList();
    if (locked.isEmpty()) {
      return new Fired(ids.size(), Map.of(), List.of());
    }
    Fired fired = fire(session, now.getFirst(), locked, planner);
    return new Fired(ids.size(), fired.executions(), fired.cancelled());
  }

  private static boolean isDue(StoredWorkflow workflow, Instant now) {
    Instant due = workflow.times().due();
    return due != null && !due.isAfter(now);
  }

  /** The workflows that are due, in their order. */
  static List<String> due(Session session, String group, int limit) throws SQLException {
    return session.query(
        DUE, Params.of("group", group).set("limit", limit), row -> row.getString("workflow_id"));
  }

  /** When the next workflow of a group is due; empty for none. */
  static Optional<Instant> nextDue(Session session, String group) throws SQLException {
    return session.first(
        NEXT_DUE,
        Params.of("group", group).set("first", Times.FIRST),
        row -> Times.read(row, "due"));
  }

  static int putOff(Session session, Collection<String> workflowIds) throws SQLException {
    return session.update(PUT_OFF, Params.none().texts("ids", workflowIds, id -> id));
  }

  private static Fired fire(Session session, Instant now, List<StoredWorkflow> due, Planner planner)
      throws SQLException {
    List<Firing> firings = planner.plan(now, due);
    Map<String, Integer> left = new HashMap<>();
    due.forEach(workflow -> left.put(workflow.workflowId(), workflow.revision()));
    for (Firing firing : firings) {
      Integer revision = left.remove(firing.workflowId());
      if (revision == null || revision != firing.revision()) {
        throw new IllegalArgumentException(
            "The planner fires workflow '"
                + firing.workflowId()
                + "' of revision "
                + firing.revision()
                + ", expected at most one firing for each workflow that it was asked about, of the"
                + " revision that it was given.");
      }
    }
    Written written = write(session, firings, taken(session, firings));
    if (!left.isEmpty()) {
      putOff(session, left.keySet());
    }
    return new Fired(due.size(), written.made, cancel(session, written.firings));
  }

  /** Writes one firing; a slot that has been fired says so whatever the revision. */
  static FireResult fire(Session session, Firing firing) throws SQLException {
    Optional<Integer> revision =
        session.first(LOCK, Params.of("id", firing.workflowId()), row -> row.getInt("revision"));
    if (revision.isEmpty()) {
      return new FireResult.Missing();
    }
    Taken taken = taken(session, List.of(firing));
    if (!taken.same.isEmpty()) {
      return new FireResult.Duplicate(taken.same.values().iterator().next());
    }
    if (revision.get() != firing.revision()) {
      return new FireResult.Stale(revision.get());
    }
    Written written = write(session, List.of(firing), taken);
    cancel(session, written.firings);
    Long existing = written.existing.get(firing.workflowId());
    return existing == null
        ? new FireResult.Written(written.made.get(firing.workflowId()), revision.get() + 1)
        : new FireResult.Duplicate(existing);
  }

  /** What the slots of {@code firings} have. */
  private static Taken taken(Session session, List<Firing> firings) throws SQLException {
    Map<String, NewFire> own = new HashMap<>();
    for (Firing firing : firings) {
      NewFire fire = firing.own();
      if (fire != null) {
        own.put(firing.workflowId(), fire);
      }
    }
    Taken taken = new Taken(new HashMap<>(), new HashSet<>());
    if (!own.isEmpty()) {
      List<Map.Entry<String, NewFire>> slots = List.copyOf(own.entrySet());
      session.visit(
          FIRED,
          Params.none()
              .texts("ids", slots, Map.Entry::getKey)
              .texts("slots", slots, slot -> Times.text(slot.getValue().slot()))
              .ints("attempts", slots, slot -> slot.getValue().attempt()),
          row -> {
            String id = row.getString("workflow_id");
            NewFire fire = Objects.requireNonNull(own.get(id));
            if (fire.isSame(row.getInt("attempt"), WorkflowRows.window(row))) {
              taken.same.put(id, row.getLong("execution_id"));
            } else {
              taken.others.add(id);
            }
          });
    }
    return taken;
  }

  private static Written write(Session session, List<Firing> planned, Taken taken)
      throws SQLException {
    List<Firing> firings =
        planned.stream()
            .map(
                firing -> taken.others.contains(firing.workflowId()) ? firing.renumbered() : firing)
            .toList();
    List<Firing> starting = new ArrayList<>();
    Map<String, Long> existing = new HashMap<>();
    for (Firing firing : firings) {
      Long before = taken.same.get(firing.workflowId());
      if (before != null) {
        existing.put(firing.workflowId(), before);
      } else if (firing.own() != null) {
        starting.add(firing);
      }
    }
    Map<String, Long> made = new HashMap<>();
    Map<String, Long> linked = start(session, starting, made, existing);
    List<Row> rows = new ArrayList<>();
    for (Firing firing : firings) {
      for (NewFire fire : firing.fires()) {
        Long executionId = fire.isFired() ? linked.get(firing.workflowId()) : null;
        if (!fire.isFired() || executionId != null) {
          rows.add(new Row(firing.workflowId(), fire, executionId));
        }
      }
    }
    insert(session, rows);
    update(session, firings, linked);
    return new Written(
        made, existing, firings.stream().filter(firing -> !isIdle(firing, linked)).toList());
  }

  /**
   * Starts executions. One that an earlier fire has made under the same external id is taken in
   * place of a new one, unless its fire is known.
   *
   * @return the executions that are to be written with their fires, by workflow
   */
  private static Map<String, Long> start(
      Session session, List<Firing> firings, Map<String, Long> made, Map<String, Long> existing)
      throws SQLException {
    Map<String, Long> linked = new HashMap<>();
    if (firings.isEmpty()) {
      return linked;
    }
    List<NewInstance> instances =
        firings.stream().map(Firing::execution).filter(Objects::nonNull).toList();
    session.limitLockWait(Starts.LOCK_WAIT);
    List<StartResult> results = Starts.start(session, session.dialect(), instances);
    Map<String, Long> before = new HashMap<>();
    for (int i = 0; i < firings.size(); i++) {
      StartResult result = results.get(i);
      String workflowId = firings.get(i).workflowId();
      (result instanceof StartResult.Created ? made : before).put(workflowId, result.id());
    }
    linked.putAll(made);
    if (!before.isEmpty()) {
      Set<Long> known =
          new HashSet<>(
              session.query(
                  KNOWN,
                  Params.none().longs("ids", before.values()),
                  row -> row.getLong("execution_id")));
      existing.putAll(before);
      before.values().removeAll(known);
      linked.putAll(before);
    }
    hint(session, instances);
    return linked;
  }

  private static void hint(Session session, List<NewInstance> instances) throws SQLException {
    Set<String> groups = new HashSet<>();
    for (NewInstance instance : instances) {
      if (groups.add(instance.origin().executorGroup())) {
        session.dialect().hint(session, instance.origin().executorGroup());
      }
    }
  }

  /** Writes what became of slots of a workflow that is not fired. */
  static void leave(Session session, String workflowId, List<NewFire> fires) throws SQLException {
    if (fires.stream().anyMatch(NewFire::isFired)) {
      throw new IllegalArgumentException(
          "A change of workflow '"
              + workflowId
              + "' fires a slot, expected only such as are left.");
    }
    insert(session, fires.stream().map(fire -> new Row(workflowId, fire, null)).toList());
  }

  private static void insert(Session session, List<Row> rows) throws SQLException {
    if (rows.isEmpty()) {
      return;
    }
    session.update(
        INSERT,
        Params.none()
            .texts("ids", rows, Row::workflowId)
            .texts("slots", rows, row -> Times.text(row.fire.slot()))
            .ints("attempts", rows, row -> row.fire.attempt())
            .texts("froms", rows, row -> bound(row.fire, DataWindow::from))
            .texts("tos", rows, row -> bound(row.fire, DataWindow::to))
            .texts("outcomes", rows, row -> row.fire.outcome().name())
            .texts("triggers", rows, row -> row.fire.trigger())
            .texts("reasons", rows, row -> Texts.reason(row.fire.reason()))
            .ints("counts", rows, row -> row.fire.count())
            .longs("executions", rows, Row::executionId));
  }

  private static void update(Session session, List<Firing> firings, Map<String, Long> executions)
      throws SQLException {
    if (firings.isEmpty()) {
      return;
    }
    session.update(
        UPDATE,
        Params.none()
            .texts("ids", firings, Firing::workflowId)
            .ints("revisions", firings, Firing::revision)
            .texts("nextRuns", firings, firing -> text(firing.after().times().nextRun()))
            .texts("dues", firings, firing -> text(firing.after().times().due()))
            .booleans("immediates", firings, firing -> firing.after().immediate())
            .booleans("restarts", firings, firing -> firing.after().restart())
            .ints("shapes", firings, firing -> firing.after().shape())
            .longs("executions", firings, firing -> executions.get(firing.workflowId()))
            .booleans("idles", firings, firing -> isIdle(firing, executions)));
  }

  /** True when the firing wants an execution, and its slot has one already. */
  private static boolean isIdle(Firing firing, Map<String, Long> executions) {
    return firing.execution() != null && !executions.containsKey(firing.workflowId());
  }

  private static @Nullable String bound(NewFire fire, Function<DataWindow, Instant> bound) {
    return fire.window() == null ? null : Times.text(bound.apply(fire.window()));
  }

  private static @Nullable String text(@Nullable Instant time) {
    return time == null ? null : Times.text(time);
  }

  /** The executions that were cancelled; one that has ended meanwhile is left alone. */
  private static List<Long> cancel(Session session, List<Firing> firings) throws SQLException {
    List<Long> cancelled = new ArrayList<>();
    for (Firing firing : firings) {
      Cancel cancel = firing.cancel();
      if (cancel != null
          && SqlOperators.apply(
                  session,
                  cancel.executionId(),
                  new DeedCommand.Cancel(),
                  new Deed(ACTOR, Texts.reason(cancel.why())))
              instanceof DeedResult.Applied) {
        cancelled.add(cancel.executionId());
      }
    }
    return cancelled;
  }
}
