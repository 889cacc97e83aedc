package io.millrace.store.sql;

import io.millrace.store.ClaimResult;
import io.millrace.store.TakeRequest;
import io.millrace.store.TakeRequest.Wanted;
import io.millrace.store.TakeResult;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reserves instances that somebody asks for by name. */
final class Takes {

  /** True for an instance that the executor may run at another time. */
  private static final String KNOWN =
      """
      SELECT id, CASE WHEN executor_group = :executorGroup
          AND definition_id = ANY(CAST(:definitions AS integer ARRAY))
        THEN TRUE ELSE FALSE END AS mine
      FROM millrace_workflow WHERE id = ANY(CAST(:ids AS bigint ARRAY))
      """;

  /** Which row may be taken; the rest is said by its id and {@code seq}. */
  static final String WAITS =
      """
      w.executor_group = :executorGroup AND w.executor_id IS NULL
      AND w.status IN ('created', 'inProgress') AND w.next_activation IS NOT NULL
      AND w.waiting_for IS NULL AND w.definition_id = ANY(CAST(:definitions AS integer ARRAY))
      """;

  /** It is due from now on, so that whoever gives it back leaves it to all. */
  static final String ASSIGNMENTS =
      """
      executor_id = :executorId, lease_version = w.lease_version + 1, attempt = w.attempt + 1,
      wake_at = NULL
      """;

  private Takes() {}

  static List<TakeResult> take(Session session, TakeRequest request) throws SQLException {
    List<Wanted> wanted = request.wanted();
    Map<Long, TakeResult> results = new HashMap<>();
    List<Claims.Taken> taken = session.dialect().take(session, request);
    List<ClaimResult.Claimed> claimed = Claims.load(session, taken);
    for (int i = 0; i < taken.size(); i++) {
      Instant now = taken.get(i).now();
      results.put(claimed.get(i).instance().id(), new TakeResult.Taken(now, claimed.get(i)));
    }
    explain(session, request, results);
    List<TakeResult> answers = new ArrayList<>(wanted.size());
    for (Wanted one : wanted) {
      TakeResult result = results.getOrDefault(one.instanceId(), new TakeResult.Unknown());
      answers.add(result);
      if (result instanceof TakeResult.Taken) {
        results.put(one.instanceId(), new TakeResult.Passed());
      }
    }
    return answers;
  }

  /** Adds results of those that were not taken and are there. */
  private static void explain(Session session, TakeRequest request, Map<Long, TakeResult> results)
      throws SQLException {
    List<Long> rest =
        request.wanted().stream()
            .map(Wanted::instanceId)
            .filter(id -> !results.containsKey(id))
            .distinct()
            .toList();
    if (!rest.isEmpty()) {
      session.visit(
          KNOWN,
          params(request).longs("ids", rest),
          row ->
              results.put(
                  row.getLong("id"),
                  row.getBoolean("mine") ? new TakeResult.Passed() : new TakeResult.Elsewhere()));
    }
  }

  static Params params(TakeRequest request) {
    return Params.of("executorGroup", request.executorGroup())
        .ints("definitions", request.definitionIds(), id -> id);
  }
}
