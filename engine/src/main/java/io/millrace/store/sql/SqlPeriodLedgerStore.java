package io.millrace.store.sql;

import io.millrace.data.PeriodClaimRequest;
import io.millrace.data.PeriodClaimResult;
import io.millrace.data.PeriodEntry;
import io.millrace.data.PeriodId;
import io.millrace.data.PeriodQuery;
import io.millrace.data.PeriodState;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Page;
import io.millrace.store.Fence;
import io.millrace.store.NewInstance;
import io.millrace.store.PeriodLedgerRules;
import io.millrace.store.PeriodLedgerStore;
import io.millrace.store.StartResult;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The period ledger in SQL. */
final class SqlPeriodLedgerStore implements PeriodLedgerStore {

  private final Jdbc jdbc;
  private final Dialect dialect;

  SqlPeriodLedgerStore(Jdbc jdbc) {
    this.jdbc = jdbc;
    this.dialect = jdbc.dialect();
  }

  @Override
  public PeriodClaimResult claim(PeriodClaimRequest request, @Nullable Fence fence) {
    if (fence == null && dialect.writesInOneStatement()) {
      PeriodClaimResult first = jdbc.run("claim a period", session -> tryClaim(session, request));
      if (!mayBeOver(first, request)) {
        return first;
      }
    }
    return jdbc.transaction(
        "claim a period",
        session ->
            FenceSql.lockAndCheck(session, fence)
                ? claim(session, request)
                : new PeriodClaimResult.Fenced());
  }

  @Override
  public StartClaimResult claimAndStart(PeriodClaimRequest request, NewInstance instance) {
    jdbc.hooks().requireWriters(instance);
    return jdbc.transaction(
        "claim a period and start its instance",
        session -> {
          PeriodClaimResult claim = claim(session, request);
          if (!(claim instanceof PeriodClaimResult.Claimed(PeriodEntry entry))) {
            return new StartClaimResult.Taken(taken(claim));
          }
          if (entry.state() == PeriodState.RUNNING) {
            return new StartClaimResult.Started(entry, null);
          }
          if (instance.origin().externalId() != null) {
            session.limitLockWait(InstanceInserter.LOCK_WAIT);
          }
          StartResult started =
              InstanceInserter.start(session, dialect, List.of(instance)).getFirst();
          dialect.hint(session, instance.origin().executorGroup());
          run(session, request.id(), started.id());
          return new StartClaimResult.Started(
              find(session, request.id(), false).orElseThrow().entry, started);
        });
  }

  /** Records that the instance holds the period until it ends. */
  static void run(SqlSession session, PeriodId id, long executionId) throws SQLException {
    session.update(PeriodLedgerSql.RUN, PeriodLedgerSql.key(id).set("executionId", executionId));
  }

  private static PeriodEntry taken(PeriodClaimResult claim) {
    if (claim instanceof PeriodClaimResult.Taken(PeriodEntry entry)) {
      return entry;
    }
    throw new IllegalStateException("A claim without fence came to " + claim);
  }

  /** Claims a period. An entry whose instance has ended is closed first. */
  static PeriodClaimResult claim(SqlSession session, PeriodClaimRequest request)
      throws SQLException {
    PeriodClaimResult first = tryClaim(session, request);
    boolean closed = mayBeOver(first, request) && closeIfEnded(session, request.id());
    return closed ? tryClaim(session, request) : first;
  }

  private static boolean mayBeOver(PeriodClaimResult claim, PeriodClaimRequest request) {
    return claim instanceof PeriodClaimResult.Taken(PeriodEntry entry)
        && entry.state().isHeld()
        && (entry.hold().executionId() != null || entry.attempt() >= request.maxAttempts());
  }

  private static PeriodClaimResult tryClaim(SqlSession session, PeriodClaimRequest request)
      throws SQLException {
    PeriodClaimResult decided = null;
    while (decided == null) { // A faster claimant has left a row to read.
      decided =
          session.dialect().writesInOneStatement()
              ? claimWithoutLock(session, request)
              : claimInSteps(session, request);
    }
    return decided;
  }

  /** Claims without a lock. Returns null if another claimant was faster. */
  private static @Nullable PeriodClaimResult claimWithoutLock(
      SqlSession session, PeriodClaimRequest request) throws SQLException {
    Params params = params(request);
    Optional<PeriodEntry> claimed =
        session.first(PeriodLedgerSql.CLAIM_NEW, params, PeriodLedgerSql::read);
    if (claimed.isEmpty()) {
      Found found = find(session, request.id(), false).orElse(null);
      if (found == null) {
        return null;
      }
      if (!PeriodLedgerRules.isOwn(found.entry, request)
          && !PeriodLedgerRules.isFree(found.entry, request, found.now)) {
        return new PeriodClaimResult.Taken(found.entry);
      }
      claimed = session.first(PeriodLedgerSql.CLAIM_AGAIN, params, PeriodLedgerSql::read);
    }
    return claimed.map(PeriodClaimResult.Claimed::new).orElse(null);
  }

  /** Claims in several statements. Returns null if another claimant was faster. */
  private static @Nullable PeriodClaimResult claimInSteps(
      SqlSession session, PeriodClaimRequest request) throws SQLException {
    Found found = find(session, request.id(), true).orElse(null);
    if (found == null) {
      if (!session.insertIfAbsent(PeriodLedgerSql.INSERT_CLAIM, params(request))) {
        return null;
      }
    } else if (PeriodLedgerRules.isOwn(found.entry, request)) {
      session.update(PeriodLedgerSql.REPEAT_CLAIM, params(request));
    } else if (PeriodLedgerRules.isFree(found.entry, request, found.now)) {
      session.update(PeriodLedgerSql.UPDATE_CLAIM, params(request));
    } else {
      return new PeriodClaimResult.Taken(found.entry);
    }
    return new PeriodClaimResult.Claimed(find(session, request.id(), false).orElseThrow().entry);
  }

  @Override
  public boolean renew(PeriodId id, long token, Duration lease) {
    return jdbc.transaction(
        "renew a claim",
        session ->
            session.update(
                    PeriodLedgerSql.RENEW,
                    PeriodLedgerSql.key(id)
                        .set("token", token)
                        .set("lease", ColumnTimes.micros(lease)))
                > 0);
  }

  @Override
  public CloseResult close(CloseRequest closeRequest, @Nullable Fence fence) {
    PeriodState to = PeriodState.to(closeRequest.operation());
    return jdbc.transaction(
        "end a claim",
        session -> {
          if (!FenceSql.lockAndCheck(session, fence)) {
            return new CloseResult.Fenced();
          }
          if (close(session, closeRequest) > 0) {
            return new CloseResult.Closed(to);
          }
          PeriodEntry now = find(session, closeRequest.id(), false).map(Found::entry).orElse(null);
          boolean earlier =
              now != null && now.hold().token() == closeRequest.token() && now.state() == to;
          return earlier ? new CloseResult.Closed(to) : new CloseResult.NotHolder(now);
        });
  }

  private static int close(SqlSession session, CloseRequest closeRequest) throws SQLException {
    return session.update(
        PeriodLedgerSql.END,
        PeriodLedgerSql.key(closeRequest.id())
            .set("token", closeRequest.token())
            .set("state", PeriodState.to(closeRequest.operation()).code())
            .set("reason", ColumnTexts.reason(closeRequest.reason())));
  }

  @Override
  public List<PeriodId> recordMissed(List<PeriodId> periods, String reason) {
    return periods.isEmpty()
        ? List.of()
        : jdbc.transaction(
            "write down what was missed", session -> recordMissed(session, periods, reason));
  }

  static List<PeriodId> recordMissed(SqlSession session, List<PeriodId> periods, String reason)
      throws SQLException {
    List<PeriodId> sorted = new ArrayList<>(periods);
    sorted.sort(Comparator.comparing(PeriodId::key).thenComparing(PeriodId::period));
    List<PeriodId> missed = new ArrayList<>();
    for (PeriodId id : sorted) {
      Params params = PeriodLedgerSql.key(id).set("reason", ColumnTexts.reason(reason));
      boolean unknown = find(session, id, true).isEmpty();
      if (unknown
          ? session.insertIfAbsent(PeriodLedgerSql.INSERT_MISSED, params)
          : session.update(PeriodLedgerSql.UPDATE_MISSED, params) > 0) {
        missed.add(id);
      }
    }
    return missed;
  }

  @Override
  public List<PeriodEntry> missed(Instant since, int limit) {
    return jdbc.run(
        "list missed periods",
        session ->
            session.query(
                PeriodLedgerSql.MISSED,
                Params.of("since", since).set("limit", limit),
                PeriodLedgerSql::read));
  }

  @Override
  public Optional<PeriodEntry> find(PeriodId id) {
    return jdbc.run("read a period", session -> find(session, id, false).map(Found::entry));
  }

  @Override
  public Page<PeriodEntry> list(PeriodQuery query) {
    StringBuilder sql =
        new StringBuilder("SELECT ")
            .append(PeriodLedgerSql.COLUMNS)
            .append(" FROM millrace_period_ledger f WHERE f.ledger_key = :schedule");
    Params params = Params.of("schedule", query.key()).set("limit", query.limit() + 1);
    add(sql, params, " AND f.period_key >= :from", "from", query.from());
    add(sql, params, " AND f.period_key <= :to", "to", query.to());
    add(sql, params, " AND f.period_key < :before", "before", query.cursor());
    if (!query.states().isEmpty()) {
      sql.append(" AND f.state = ANY(CAST(:states AS varchar ARRAY))");
      params.texts("states", query.states(), PeriodState::code);
    }
    sql.append(" ORDER BY f.period_key DESC LIMIT :limit");
    List<PeriodEntry> found =
        jdbc.run(
            "list periods",
            session -> session.query(sql.toString(), params, PeriodLedgerSql::read));
    boolean more = found.size() > query.limit();
    List<PeriodEntry> items = more ? found.subList(0, query.limit()) : found;
    return new Page<>(items, more ? items.getLast().id().period() : null);
  }

  private static void add(
      StringBuilder sql, Params params, String condition, String name, @Nullable String value) {
    if (value != null) {
      sql.append(condition);
      params.set(name, value);
    }
  }

  @Override
  public List<String> keys(@Nullable String after, int limit) {
    return jdbc.run(
        "list schedules with periods",
        session -> {
          List<String> schedules = new ArrayList<>();
          String from = after == null ? "" : after;
          while (schedules.size() < limit) {
            Optional<String> next =
                session.first(
                    PeriodLedgerSql.NEXT_SCHEDULE,
                    Params.of("after", from),
                    row -> row.getString("ledger_key"));
            if (next.isEmpty()) {
              break;
            }
            from = next.get();
            schedules.add(from);
          }
          return schedules;
        });
  }

  @Override
  public List<PeriodEntry> closeEnded(int limit) {
    return jdbc.transaction(
        "close periods",
        session -> {
          List<PeriodEntry> closed = new ArrayList<>();
          for (Open open :
              session.query(
                  PeriodLedgerSql.CLOSE_CANDIDATES, Params.of("limit", limit), Open::read)) {
            if (close(session, open)) {
              closed.add(find(session, open.entry.id(), false).orElseThrow().entry);
            }
          }
          return closed;
        });
  }

  private static boolean closeIfEnded(SqlSession session, PeriodId id) throws SQLException {
    Optional<Open> open =
        session.first(PeriodLedgerSql.CLOSE_CANDIDATE, PeriodLedgerSql.key(id), Open::read);
    return open.isPresent() && close(session, open.get());
  }

  /** Closes an entry. The token protects an entry that was claimed again meanwhile. */
  private static boolean close(SqlSession session, Open open) throws SQLException {
    PeriodEntry entry = open.entry;
    PeriodLedgerRules.Closing closing =
        entry.hold().executionId() == null
            ? PeriodLedgerRules.ofLease(entry.attempt())
            : PeriodLedgerRules.ofInstance(
                open.status, open.why, entry.attempt() < open.maxAttempts);
    CloseRequest closeRequest =
        new CloseRequest(entry.id(), entry.hold().token(), closing.operation(), closing.reason());
    return close(session, closeRequest) > 0;
  }

  @Override
  public int deleteEnded(Duration age, int limit) {
    return jdbc.transaction(
        "delete old periods",
        session ->
            session.update(
                PeriodLedgerSql.DELETE_ENDED,
                Params.of("age", ColumnTimes.micros(age)).set("limit", limit)));
  }

  private static Optional<Found> find(SqlSession session, PeriodId id, boolean lock)
      throws SQLException {
    return session.first(
        lock ? PeriodLedgerSql.FIND + " FOR UPDATE" : PeriodLedgerSql.FIND,
        PeriodLedgerSql.key(id),
        Found::read);
  }

  private static Params params(PeriodClaimRequest request) {
    Duration lease = request.lease();
    return PeriodLedgerSql.key(request.id())
        .set("state", PeriodLedgerRules.claimed(request).code())
        .set("holder", request.claimant())
        .set("executorId", request.executorId())
        .set("executionId", request.executionId())
        .set("lease", lease == null ? null : ColumnTimes.micros(lease))
        .set("maxAttempts", request.maxAttempts());
  }

  private record Found(PeriodEntry entry, Instant now) {
    static Found read(ResultSet row) throws SQLException {
      return new Found(PeriodLedgerSql.read(row), ColumnTimes.read(row, "now"));
    }
  }

  /**
   * An entry to be closed.
   *
   * @param status of its instance; null for none
   */
  private record Open(
      PeriodEntry entry, int maxAttempts, @Nullable InstanceStatus status, @Nullable String why) {
    static Open read(ResultSet row) throws SQLException {
      String status = row.getString("instance_status");
      return new Open(
          PeriodLedgerSql.read(row),
          row.getInt("max_attempts"),
          status == null ? null : InstanceStatus.ofCode(status),
          row.getString("instance_reason"));
    }
  }
}
