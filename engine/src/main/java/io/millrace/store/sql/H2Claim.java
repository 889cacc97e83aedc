package io.millrace.store.sql;

import io.millrace.store.ClaimRequest;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Claims in H2, which reads an index in order only when ORDER BY names all its columns and no row
 * is locked while reading: so each candidate is taken afterwards, if it is still free.
 */
final class H2Claim {

  private record Candidate(long id, int leaseVersion) {}

  private static final int TOP_PRIORITY = 9;

  private H2Claim() {}

  static List<Claims.Taken> claim(Session session, ClaimRequest request) throws SQLException {
    List<Candidate> due = new ArrayList<>();
    for (int priority = TOP_PRIORITY; priority >= 0 && due.size() < request.limit(); priority--) {
      due.addAll(due(session, request, priority, request.limit() - due.size()));
    }
    // All who lock several instances do so in the order of ids, or each might wait for the other.
    due.sort(Comparator.comparingLong(Candidate::id));
    return due.isEmpty() ? List.of() : take(session, request.executorId(), due);
  }

  private static List<Candidate> due(Session session, ClaimRequest request, int priority, int limit)
      throws SQLException {
    Params params = level(request, priority, limit);
    Session.RowReader<Candidate> reader =
        row -> new Candidate(row.getLong("id"), row.getInt("lease_version"));
    return request.dueFrom().isEmpty()
        ? session.query(H2Sql.DUE, params, reader)
        : session.query(
            H2Sql.DUE_FROM, params.set("dueFrom", request.dueFrom().get(priority)), reader);
  }

  private static List<Claims.Taken> take(Session session, long executorId, List<Candidate> due)
      throws SQLException {
    List<Params> rows =
        due.stream()
            .map(candidate ->
                Params.of("id", candidate.id)
                    .set("leaseVersion", candidate.leaseVersion)
                    .set("executorId", executorId))
            .toList();
    int[] counts = session.batch(H2Sql.TAKE, rows);
    List<Long> ids = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] == 1) {
        ids.add(due.get(i).id);
      }
    }
    return session.query(H2Sql.TAKEN, Params.none().longs("ids", ids), Claims.Taken::read);
  }

  static Dialect.Upcoming upcoming(Session session, ClaimRequest request) throws SQLException {
    Instant now = SqlQueries.now(session);
    @Nullable Instant next = null;
    for (int priority = TOP_PRIORITY; priority >= 0; priority--) {
      for (Instant time :
          session.query(
              H2Sql.UPCOMING,
              level(request, priority, 1),
              row -> Times.read(row, "next_activation"))) {
        next = next == null || time.isBefore(next) ? time : next;
      }
    }
    return new Dialect.Upcoming(now, next);
  }

  private static Params level(ClaimRequest request, int priority, int limit) {
    return Params.of("executorGroup", request.executorGroup())
        .ints("definitions", request.definitionIds(), id -> id)
        .set("priority", priority)
        .set("limit", limit);
  }
}
