package io.millrace.store.sql;

import io.millrace.store.ChannelClaimRequest;
import io.millrace.store.ClaimRequest;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Claims in H2, which reads an index in order only if ORDER BY names all its columns and no row is
 * locked while reading. Therefore each candidate is claimed afterwards, if it is still free.
 */
final class H2InstanceClaimer {

  private record Candidate(long id, int leaseVersion) {}

  private static final int TOP_PRIORITY = 9;

  private H2InstanceClaimer() {}

  static List<InstanceClaimer.ClaimedRow> claim(SqlSession session, ClaimRequest request)
      throws SQLException {
    List<Candidate> due = new ArrayList<>();
    for (int priority = TOP_PRIORITY; priority >= 0 && due.size() < request.limit(); priority--) {
      due.addAll(due(session, request, priority, request.limit() - due.size()));
    }
    // All transactions lock instances in the order of ids, or they might deadlock.
    due.sort(Comparator.comparingLong(Candidate::id));
    return due.isEmpty() ? List.of() : claim(session, request.executorId(), due);
  }

  private static List<Candidate> due(
      SqlSession session, ClaimRequest request, int priority, int limit) throws SQLException {
    Params params = level(request, priority, limit);
    SqlSession.RowMapper<Candidate> reader =
        row -> new Candidate(row.getLong("id"), row.getInt("lease_version"));
    return request.dueFrom().isEmpty()
        ? session.query(H2Sql.DUE, params, reader)
        : session.query(
            H2Sql.DUE_FROM, params.set("dueFrom", request.dueFrom().get(priority)), reader);
  }

  private static List<InstanceClaimer.ClaimedRow> claim(
      SqlSession session, long executorId, List<Candidate> due) throws SQLException {
    List<Params> rows =
        due.stream()
            .map(candidate ->
                Params.of("id", candidate.id)
                    .set("leaseVersion", candidate.leaseVersion)
                    .set("executorId", executorId))
            .toList();
    return claimed(
        session, session.batch(H2Sql.CLAIM, rows), due.stream().map(Candidate::id).toList());
  }

  private static List<InstanceClaimer.ClaimedRow> claimed(
      SqlSession session, int[] counts, List<Long> ids) throws SQLException {
    List<Long> claimed = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] == 1) {
        claimed.add(ids.get(i));
      }
    }
    return session.query(
        H2Sql.CLAIMED, Params.none().longs("ids", claimed), InstanceClaimer.ClaimedRow::read);
  }

  static List<InstanceClaimer.ClaimedRow> claimForChannel(
      SqlSession session, ChannelClaimRequest request) throws SQLException {
    List<ChannelClaimRequest.Candidate> named =
        request.named().stream()
            .sorted(Comparator.comparingLong(ChannelClaimRequest.Candidate::instanceId))
            .toList();
    List<Params> rows =
        named.stream()
            .map(one ->
                ChannelClaimer.params(request)
                    .set("executorId", request.executorId())
                    .set("id", one.instanceId())
                    .set("seq", one.seq()))
            .toList();
    return claimed(
        session,
        session.batch(H2Sql.CLAIM_FOR_CHANNEL, rows),
        named.stream().map(ChannelClaimRequest.Candidate::instanceId).toList());
  }

  static Dialect.NextDue upcoming(SqlSession session, ClaimRequest request) throws SQLException {
    Instant now = SqlQueryStore.now(session);
    @Nullable Instant next = null;
    for (int priority = TOP_PRIORITY; priority >= 0; priority--) {
      for (Instant time :
          session.query(
              H2Sql.UPCOMING,
              level(request, priority, 1),
              row -> ColumnTimes.read(row, "next_activation_at"))) {
        next = next == null || time.isBefore(next) ? time : next;
      }
    }
    return new Dialect.NextDue(now, next);
  }

  private static Params level(ClaimRequest request, int priority, int limit) {
    return Params.of("executorGroup", request.executorGroup())
        .ints("definitions", request.definitionIds(), id -> id)
        .set("priority", priority)
        .set("limit", limit);
  }
}
