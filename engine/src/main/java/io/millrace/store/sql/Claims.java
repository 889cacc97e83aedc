package io.millrace.store.sql;

import io.millrace.instance.Signal;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.ClaimRequest;
import io.millrace.store.ClaimResult;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reserves due instances and loads what their handlers may ask for. */
final class Claims {

  /** A reserved instance, without what is kept beside its row. */
  record Taken(WorkflowInstance instance, @Nullable String input, Instant now) {
    static final Comparator<Taken> MOST_URGENT =
        Comparator.comparingInt((Taken taken) -> -taken.instance.origin().priority())
            .thenComparing(Claims::due)
            .thenComparingLong(taken -> taken.instance.id());

    static Taken read(ResultSet row) throws SQLException {
      return new Taken(Rows.instance(row), row.getString("input"), Times.read(row, "now"));
    }
  }

  private static final String VARIABLES =
      """
      SELECT workflow_id, name, "value" FROM millrace_workflow_variable
      WHERE workflow_id = ANY(CAST(:ids AS bigint ARRAY))
      """;

  private static final String INBOX =
      "SELECT "
          + Rows.SIGNAL
          + """
           FROM millrace_workflow_signal
          WHERE workflow_id = ANY(CAST(:ids AS bigint ARRAY)) AND consumed_seq IS NULL
          ORDER BY workflow_id, id
          """;

  private static final String STEPS =
      """
      SELECT s.workflow_id, s.name, s.result
      FROM (SELECT d.* FROM UNNEST(CAST(:ids AS bigint ARRAY), CAST(:visits AS integer ARRAY))
        AS d(workflow_id, entered_seq)
      """
          + Params.LOOKED_UP
          + """
          ) d JOIN millrace_workflow_step s
            ON s.workflow_id = d.workflow_id AND s.entered_seq = d.entered_seq
          """;

  private Claims() {}

  private static Instant due(Taken taken) {
    return Objects.requireNonNull(taken.instance.nextActivation());
  }

  static ClaimResult claim(Session session, Dialect dialect, ClaimRequest request)
      throws SQLException {
    List<Taken> taken = dialect.claim(session, request);
    List<ClaimResult.Claimed> claimed = load(session, taken);
    if (taken.size() >= request.limit()) {
      return new ClaimResult(taken.getFirst().now, claimed, null);
    }
    Dialect.Upcoming upcoming = dialect.upcoming(session, request);
    return new ClaimResult(upcoming.now(), claimed, upcoming.nextDue());
  }

  /** Reads after the claim, so that nothing which was committed before it is missed. */
  static List<ClaimResult.Claimed> load(Session session, List<Taken> taken) throws SQLException {
    Map<Long, Map<String, String>> variables =
        variables(session, having(taken, w -> w.attachments().variables() > 0));
    Map<Long, List<Signal>> inboxes =
        inboxes(session, having(taken, w -> w.attachments().inbox() > 0));
    Map<Long, Map<String, String>> steps =
        steps(session, having(taken, w -> w.attachments().stepsSeq() == w.position().enteredSeq()));
    List<ClaimResult.Claimed> claimed = new ArrayList<>(taken.size());
    for (Taken one : taken) {
      long id = one.instance.id();
      ClaimResult.Payload payload =
          new ClaimResult.Payload(
              one.input,
              variables.getOrDefault(id, Map.of()),
              inboxes.getOrDefault(id, List.of()),
              steps.getOrDefault(id, Map.of()));
      claimed.add(new ClaimResult.Claimed(one.instance, payload));
    }
    return claimed;
  }

  private static List<WorkflowInstance> having(
      List<Taken> taken, Predicate<WorkflowInstance> something) {
    return taken.stream().map(Taken::instance).filter(something).toList();
  }

  private static Map<Long, Map<String, String>> variables(
      Session session, List<WorkflowInstance> instances) throws SQLException {
    Map<Long, Map<String, String>> variables = new HashMap<>();
    if (!instances.isEmpty()) {
      session.visit(
          VARIABLES,
          Params.none().longs("ids", instances, WorkflowInstance::id),
          row -> put(variables, row, row.getString("value")));
    }
    return variables;
  }

  private static Map<Long, List<Signal>> inboxes(Session session, List<WorkflowInstance> instances)
      throws SQLException {
    Map<Long, List<Signal>> inboxes = new HashMap<>();
    if (!instances.isEmpty()) {
      Params ids = Params.none().longs("ids", instances, WorkflowInstance::id);
      for (Signal signal : session.query(INBOX, ids, Rows::signal)) {
        inboxes.computeIfAbsent(signal.instanceId(), id -> new ArrayList<>()).add(signal);
      }
    }
    return inboxes;
  }

  private static Map<Long, Map<String, String>> steps(
      Session session, List<WorkflowInstance> instances) throws SQLException {
    Map<Long, Map<String, String>> steps = new HashMap<>();
    if (!instances.isEmpty()) {
      session.visit(
          STEPS,
          Params.none()
              .longs("ids", instances, WorkflowInstance::id)
              .ints("visits", instances, instance -> instance.position().enteredSeq()),
          row -> put(steps, row, row.getString("result")));
    }
    return steps;
  }

  private static void put(Map<Long, Map<String, String>> texts, ResultSet row, String text)
      throws SQLException {
    texts
        .computeIfAbsent(row.getLong("workflow_id"), id -> new TreeMap<>())
        .put(row.getString("name"), text);
  }

  static List<Signal> inbox(Session session, long instanceId) throws SQLException {
    return session.query(INBOX, Params.none().longs("ids", List.of(instanceId)), Rows::signal);
  }
}
