package io.millrace.store.sql;

import io.millrace.data.Fire;
import io.millrace.data.FireClaim;
import io.millrace.data.FireId;
import io.millrace.data.FireQuery;
import io.millrace.data.FireRequest;
import io.millrace.data.FireState;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Page;
import io.millrace.store.Fence;
import io.millrace.store.FireRules;
import io.millrace.store.FireStore;
import io.millrace.store.NewInstance;
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

/** The fire ledger. */
final class SqlFires implements FireStore {

  private final Jdbc jdbc;
  private final Dialect dialect;

  SqlFires(Jdbc jdbc) {
    this.jdbc = jdbc;
    this.dialect = jdbc.dialect();
  }

  @Override
  public FireClaim claim(FireRequest request, @Nullable Fence fence) {
    if (fence == null && dialect.writesInOneStatement()) {
      FireClaim first = jdbc.run("claim a period", session -> tryClaim(session, request));
      if (!mayBeOver(first, request)) {
        return first;
      }
    }
    return jdbc.transaction(
        "claim a period",
        session -> Fences.hold(session, fence) ? claim(session, request) : new FireClaim.Fenced());
  }

  @Override
  public FireStart claimAndStart(FireRequest request, NewInstance instance) {
    return jdbc.transaction(
        "claim a period and start its instance",
        session -> {
          FireClaim claim = claim(session, request);
          if (!(claim instanceof FireClaim.Claimed(Fire fire))) {
            return new FireStart.Taken(taken(claim));
          }
          if (fire.state() == FireState.RUNNING) {
            return new FireStart.Begun(fire, null);
          }
          if (instance.origin().externalId() != null) {
            session.limitLockWait(Starts.LOCK_WAIT);
          }
          StartResult started = Starts.start(session, dialect, List.of(instance)).getFirst();
          dialect.hint(session, instance.origin().executorGroup());
          run(session, request.id(), started.id());
          return new FireStart.Begun(
              find(session, request.id(), false).orElseThrow().fire, started);
        });
  }

  /** The instance keeps the period until it ends. */
  static void run(Session session, FireId id, long executionId) throws SQLException {
    session.update(FireSql.RUN, FireSql.key(id).set("executionId", executionId));
  }

  private static Fire taken(FireClaim claim) {
    if (claim instanceof FireClaim.Taken(Fire fire)) {
      return fire;
    }
    throw new IllegalStateException("A claim without fence came to " + claim);
  }

  /** A holder whose instance has ended is in nobody's way. */
  static FireClaim claim(Session session, FireRequest request) throws SQLException {
    FireClaim first = tryClaim(session, request);
    boolean closed = mayBeOver(first, request) && settleOne(session, request.id());
    return closed ? tryClaim(session, request) : first;
  }

  private static boolean mayBeOver(FireClaim claim, FireRequest request) {
    return claim instanceof FireClaim.Taken(Fire fire)
        && fire.state().isHeld()
        && (fire.hold().executionId() != null || fire.attempt() >= request.maxAttempts());
  }

  private static FireClaim tryClaim(Session session, FireRequest request) throws SQLException {
    FireClaim decided = null;
    while (decided == null) { // Whoever was faster has left a row to look at.
      decided =
          session.dialect().writesInOneStatement()
              ? claimWithoutLock(session, request)
              : claimInSteps(session, request);
    }
    return decided;
  }

  /** Null when somebody else was faster. */
  private static @Nullable FireClaim claimWithoutLock(Session session, FireRequest request)
      throws SQLException {
    Params params = params(request);
    Optional<Fire> claimed = session.first(FireSql.CLAIM_NEW, params, FireSql::read);
    if (claimed.isEmpty()) {
      Found found = find(session, request.id(), false).orElse(null);
      if (found == null) {
        return null;
      }
      if (!FireRules.isOwn(found.fire, request)
          && !FireRules.isFree(found.fire, request, found.now)) {
        return new FireClaim.Taken(found.fire);
      }
      claimed = session.first(FireSql.CLAIM_AGAIN, params, FireSql::read);
    }
    return claimed.map(FireClaim.Claimed::new).orElse(null);
  }

  /** Null when somebody else was faster. */
  private static @Nullable FireClaim claimInSteps(Session session, FireRequest request)
      throws SQLException {
    Found found = find(session, request.id(), true).orElse(null);
    if (found == null) {
      if (!session.insertIfAbsent(FireSql.INSERT_CLAIM, params(request))) {
        return null;
      }
    } else if (FireRules.isOwn(found.fire, request)) {
      session.update(FireSql.REPEAT_CLAIM, params(request));
    } else if (FireRules.isFree(found.fire, request, found.now)) {
      session.update(FireSql.UPDATE_CLAIM, params(request));
    } else {
      return new FireClaim.Taken(found.fire);
    }
    return new FireClaim.Claimed(find(session, request.id(), false).orElseThrow().fire);
  }

  @Override
  public boolean renew(FireId id, long token, Duration lease) {
    return jdbc.transaction(
        "renew a claim",
        session ->
            session.update(
                    FireSql.RENEW,
                    FireSql.key(id).set("token", token).set("lease", Times.micros(lease)))
                > 0);
  }

  @Override
  public FireEnd end(End end, @Nullable Fence fence) {
    FireState to = FireState.to(end.deed());
    return jdbc.transaction(
        "end a claim",
        session -> {
          if (!Fences.hold(session, fence)) {
            return new FireEnd.Fenced();
          }
          if (end(session, end) > 0) {
            return new FireEnd.Ended(to);
          }
          Fire now = find(session, end.id(), false).map(Found::fire).orElse(null);
          boolean earlier = now != null && now.hold().token() == end.token() && now.state() == to;
          return earlier ? new FireEnd.Ended(to) : new FireEnd.Passed(now);
        });
  }

  private static int end(Session session, End end) throws SQLException {
    return session.update(
        FireSql.END,
        FireSql.key(end.id())
            .set("token", end.token())
            .set("state", FireState.to(end.deed()).code())
            .set("reason", Texts.reason(end.reason())));
  }

  @Override
  public List<FireId> miss(List<FireId> periods, String reason) {
    return periods.isEmpty()
        ? List.of()
        : jdbc.transaction("write down what was missed", session -> miss(session, periods, reason));
  }

  static List<FireId> miss(Session session, List<FireId> periods, String reason)
      throws SQLException {
    List<FireId> sorted = new ArrayList<>(periods);
    sorted.sort(Comparator.comparing(FireId::schedule).thenComparing(FireId::period));
    List<FireId> missed = new ArrayList<>();
    for (FireId id : sorted) {
      Params params = FireSql.key(id).set("reason", Texts.reason(reason));
      boolean unknown = find(session, id, true).isEmpty();
      if (unknown
          ? session.insertIfAbsent(FireSql.INSERT_MISSED, params)
          : session.update(FireSql.UPDATE_MISSED, params) > 0) {
        missed.add(id);
      }
    }
    return missed;
  }

  @Override
  public List<Fire> missed(Instant since, int limit) {
    return jdbc.run(
        "list missed periods",
        session ->
            session.query(
                FireSql.MISSED, Params.of("since", since).set("limit", limit), FireSql::read));
  }

  @Override
  public Optional<Fire> find(FireId id) {
    return jdbc.run("read a fire", session -> find(session, id, false).map(Found::fire));
  }

  @Override
  public Page<Fire> list(FireQuery query) {
    StringBuilder sql =
        new StringBuilder("SELECT ")
            .append(FireSql.COLUMNS)
            .append(" FROM millrace_fire_ledger f WHERE f.schedule_id = :schedule");
    Params params = Params.of("schedule", query.schedule()).set("limit", query.limit() + 1);
    add(sql, params, " AND f.period_key >= :from", "from", query.from());
    add(sql, params, " AND f.period_key <= :to", "to", query.to());
    add(sql, params, " AND f.period_key < :before", "before", query.cursor());
    if (!query.states().isEmpty()) {
      sql.append(" AND f.state = ANY(CAST(:states AS varchar ARRAY))");
      params.texts("states", query.states(), FireState::code);
    }
    sql.append(" ORDER BY f.period_key DESC LIMIT :limit");
    List<Fire> found =
        jdbc.run("list fires", session -> session.query(sql.toString(), params, FireSql::read));
    boolean more = found.size() > query.limit();
    List<Fire> items = more ? found.subList(0, query.limit()) : found;
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
  public List<String> schedules(@Nullable String after, int limit) {
    return jdbc.run(
        "list schedules with fires",
        session -> {
          List<String> schedules = new ArrayList<>();
          String from = after == null ? "" : after;
          while (schedules.size() < limit) {
            Optional<String> next =
                session.first(
                    FireSql.NEXT_SCHEDULE,
                    Params.of("after", from),
                    row -> row.getString("schedule_id"));
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
  public List<Fire> settle(int limit) {
    return jdbc.transaction(
        "close fires",
        session -> {
          List<Fire> closed = new ArrayList<>();
          for (Open open : session.query(FireSql.SETTLE, Params.of("limit", limit), Open::read)) {
            if (close(session, open)) {
              closed.add(find(session, open.fire.id(), false).orElseThrow().fire);
            }
          }
          return closed;
        });
  }

  private static boolean settleOne(Session session, FireId id) throws SQLException {
    Optional<Open> open = session.first(FireSql.SETTLE_ONE, FireSql.key(id), Open::read);
    return open.isPresent() && close(session, open.get());
  }

  /** The token stands against an entry that was claimed anew meanwhile. */
  private static boolean close(Session session, Open open) throws SQLException {
    Fire fire = open.fire;
    FireRules.Closing closing =
        fire.hold().executionId() == null
            ? FireRules.ofLease(fire.attempt())
            : FireRules.ofInstance(open.status, open.why, fire.attempt() < open.maxAttempts);
    End end = new End(fire.id(), fire.hold().token(), closing.deed(), closing.reason());
    return end(session, end) > 0;
  }

  @Override
  public int deleteEnded(Duration age, int limit) {
    return jdbc.transaction(
        "delete old fires",
        session ->
            session.update(
                FireSql.DELETE_ENDED, Params.of("age", Times.micros(age)).set("limit", limit)));
  }

  private static Optional<Found> find(Session session, FireId id, boolean lock)
      throws SQLException {
    return session.first(
        lock ? FireSql.FIND + " FOR UPDATE" : FireSql.FIND, FireSql.key(id), Found::read);
  }

  private static Params params(FireRequest request) {
    Duration lease = request.lease();
    return FireSql.key(request.id())
        .set("state", FireRules.claimed(request).code())
        .set("holder", request.claimant())
        .set("executorId", request.executorId())
        .set("executionId", request.executionId())
        .set("lease", lease == null ? null : Times.micros(lease))
        .set("maxAttempts", request.maxAttempts());
  }

  private record Found(Fire fire, Instant now) {
    static Found read(ResultSet row) throws SQLException {
      return new Found(FireSql.read(row), Times.read(row, "now"));
    }
  }

  /**
   * An entry that is to be closed.
   *
   * @param status of its instance; null for none
   */
  private record Open(
      Fire fire, int maxAttempts, @Nullable InstanceStatus status, @Nullable String why) {
    static Open read(ResultSet row) throws SQLException {
      String status = row.getString("instance_status");
      return new Open(
          FireSql.read(row),
          row.getInt("max_attempts"),
          status == null ? null : InstanceStatus.ofCode(status),
          row.getString("instance_reason"));
    }
  }
}
