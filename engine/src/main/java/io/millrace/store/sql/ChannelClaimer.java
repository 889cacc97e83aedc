package io.millrace.store.sql;

import io.millrace.store.ChannelClaimRequest;
import io.millrace.store.ChannelClaimRequest.Candidate;
import io.millrace.store.ChannelClaimResult;
import io.millrace.store.ClaimResult;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Claims the instances that messages of a channel name. */
final class ChannelClaimer {

  /** Query for which of the named instances exist, and whether the executor can run them. */
  private static final String KNOWN =
      """
      SELECT id, CASE WHEN executor_group = :executorGroup
          AND definition_id = ANY(CAST(:definitions AS integer ARRAY))
        THEN TRUE ELSE FALSE END AS mine
      FROM millrace_instance WHERE id = ANY(CAST(:ids AS bigint ARRAY))
      """;

  /** Condition under which a row may be claimed; its id and {@code seq} are checked in addition. */
  static final String WAITS =
      """
      w.executor_group = :executorGroup AND w.executor_id IS NULL
      AND w.status IN ('created', 'inProgress') AND w.next_activation_at IS NOT NULL
      AND w.waiting_for IS NULL AND w.definition_id = ANY(CAST(:definitions AS integer ARRAY))
      """;

  /** Assignments of a claim, beside the due time, which the statement of each database sets. */
  static final String ASSIGNMENTS =
      """
      executor_id = :executorId, lease_version = w.lease_version + 1, attempt = w.attempt + 1,
      wake_at = NULL
      """;

  private ChannelClaimer() {}

  static List<ChannelClaimResult> claim(SqlSession session, ChannelClaimRequest request)
      throws SQLException {
    List<Candidate> named = request.named();
    Map<Long, ChannelClaimResult> results = new HashMap<>();
    List<InstanceClaimer.ClaimedRow> rows = session.dialect().claimForChannel(session, request);
    List<ClaimResult.Claimed> claimed = InstanceClaimer.load(session, rows, request.maxBytes());
    for (int i = 0; i < rows.size(); i++) {
      Instant now = rows.get(i).now();
      results.put(
          rows.get(i).instance().id(),
          i < claimed.size()
              ? new ChannelClaimResult.Claimed(now, claimed.get(i))
              : new ChannelClaimResult.TooMuch());
    }
    explain(session, request, results);
    List<ChannelClaimResult> answers = new ArrayList<>(named.size());
    for (Candidate one : named) {
      ChannelClaimResult result =
          results.getOrDefault(one.instanceId(), new ChannelClaimResult.NotFound());
      answers.add(result);
      if (result instanceof ChannelClaimResult.Claimed) {
        results.put(one.instanceId(), new ChannelClaimResult.Superseded());
      }
    }
    return answers;
  }

  /** Adds results of the instances that exist and were not claimed. */
  private static void explain(
      SqlSession session, ChannelClaimRequest request, Map<Long, ChannelClaimResult> results)
      throws SQLException {
    List<Long> rest =
        request.named().stream()
            .map(Candidate::instanceId)
            .filter(id -> !results.containsKey(id))
            .distinct()
            .toList();
    if (!rest.isEmpty()) {
      session.forEachRow(
          KNOWN,
          params(request).longs("ids", rest),
          row ->
              results.put(
                  row.getLong("id"),
                  row.getBoolean("mine")
                      ? new ChannelClaimResult.Superseded()
                      : new ChannelClaimResult.NotEligible()));
    }
  }

  static Params params(ChannelClaimRequest request) {
    return Params.of("executorGroup", request.executorGroup())
        .ints("definitions", request.definitionIds(), id -> id);
  }
}
