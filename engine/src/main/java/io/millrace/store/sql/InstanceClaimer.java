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
final class InstanceClaimer {

  /** A reserved instance, without what is kept beside its row. */
  record ClaimedRow(WorkflowInstance instance, @Nullable String input, Instant now) {
    static final Comparator<ClaimedRow> MOST_URGENT =
        Comparator.comparingInt((ClaimedRow taken) -> -taken.instance.origin().priority())
            .thenComparing(InstanceClaimer::due)
            .thenComparingLong(taken -> taken.instance.id());

    static ClaimedRow read(ResultSet row) throws SQLException {
      return new ClaimedRow(
          RowMappers.instance(row), row.getString("input"), ColumnTimes.read(row, "now"));
    }
  }

  private static final String VARIABLES =
      """
      SELECT workflow_id, name, "value" FROM millrace_workflow_variable
      WHERE workflow_id = ANY(CAST(:ids AS bigint ARRAY))
      """;

  private static final String INBOX =
      "SELECT "
          + RowMappers.SIGNAL
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
          + Params.OPTIMIZATION_FENCE
          + """
          ) d JOIN millrace_workflow_step s
            ON s.workflow_id = d.workflow_id AND s.entered_seq = d.entered_seq
          """;

  private InstanceClaimer() {}

  private static Instant due(ClaimedRow claimedRow) {
    return Objects.requireNonNull(claimedRow.instance.nextActivation());
  }

  static ClaimResult claim(SqlSession sqlSession, Dialect dialect, ClaimRequest request)
      throws SQLException {
    List<ClaimedRow> taken = dialect.claim(sqlSession, request);
    List<ClaimResult.Claimed> claimed = load(sqlSession, taken);
    if (taken.size() >= request.limit()) {
      return new ClaimResult(taken.getFirst().now, claimed, null);
    }
    Dialect.NextDue nextDue = dialect.upcoming(sqlSession, request);
    return new ClaimResult(nextDue.now(), claimed, nextDue.nextDue());
  }

  /** Reads after the claim, so that nothing which was committed before it is missed. */
  static List<ClaimResult.Claimed> load(SqlSession sqlSession, List<ClaimedRow> taken)
      throws SQLException {
    Map<Long, Map<String, String>> variables =
        variables(sqlSession, having(taken, w -> w.attachments().variables() > 0));
    Map<Long, List<Signal>> inboxes =
        inboxes(sqlSession, having(taken, w -> w.attachments().inbox() > 0));
    Map<Long, Map<String, String>> steps =
        steps(
            sqlSession,
            having(taken, w -> w.attachments().stepsSeq() == w.position().enteredSeq()));
    List<ClaimResult.Claimed> claimed = new ArrayList<>(taken.size());
    for (ClaimedRow one : taken) {
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
      List<ClaimedRow> taken, Predicate<WorkflowInstance> something) {
    return taken.stream().map(ClaimedRow::instance).filter(something).toList();
  }

  private static Map<Long, Map<String, String>> variables(
      SqlSession sqlSession, List<WorkflowInstance> instances) throws SQLException {
    Map<Long, Map<String, String>> variables = new HashMap<>();
    if (!instances.isEmpty()) {
      sqlSession.visit(
          VARIABLES,
          Params.none().longs("ids", instances, WorkflowInstance::id),
          row -> put(variables, row, row.getString("value")));
    }
    return variables;
  }

  private static Map<Long, List<Signal>> inboxes(
      SqlSession sqlSession, List<WorkflowInstance> instances) throws SQLException {
    Map<Long, List<Signal>> inboxes = new HashMap<>();
    if (!instances.isEmpty()) {
      Params ids = Params.none().longs("ids", instances, WorkflowInstance::id);
      for (Signal signal : sqlSession.query(INBOX, ids, RowMappers::signal)) {
        inboxes.computeIfAbsent(signal.instanceId(), id -> new ArrayList<>()).add(signal);
      }
    }
    return inboxes;
  }

  private static Map<Long, Map<String, String>> steps(
      SqlSession sqlSession, List<WorkflowInstance> instances) throws SQLException {
    Map<Long, Map<String, String>> steps = new HashMap<>();
    if (!instances.isEmpty()) {
      sqlSession.visit(
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

  static List<Signal> inbox(SqlSession sqlSession, long instanceId) throws SQLException {
    return sqlSession.query(
        INBOX, Params.none().longs("ids", List.of(instanceId)), RowMappers::signal);
  }
}
