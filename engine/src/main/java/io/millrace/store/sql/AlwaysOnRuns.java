package io.millrace.store.sql;

import io.millrace.instance.StopReason;
import io.millrace.store.AlwaysOn;
import io.millrace.store.AlwaysOnStore.EventType;
import io.millrace.store.AlwaysOnStore.Failure;
import io.millrace.store.AlwaysOnStore.Owner;
import io.millrace.store.StartMode;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Begins and ends runs of triggers. Rows are locked by name after those of executors and instances,
 * so that no two transactions wait for each other.
 */
final class AlwaysOnRuns {

  private static final String ORPHAN =
      """
      a.desired = 'on' AND a.executor_id IS NULL
        AND (a.backoff_until IS NULL OR a.backoff_until <= (SELECT :now))
      """;

  /** The five seconds of {@link io.millrace.store.AlwaysOnStore#orphans}. */
  private static final String ORPHANS =
      """
      SELECT a.name FROM millrace_always_on a
      WHERE a.executor_group = :group AND ORPHAN
        AND (a.preferred IS NULL OR a.preferred = :executorId
          OR a.down_since <= (SELECT :now) - INTERVAL '5' SECOND
          OR (SELECT e.id FROM millrace_executor e WHERE e.id = a.preferred AND e.stopped IS NULL
            AND e.state = 'ACTIVE' AND e.expires >= (SELECT :now)) IS NULL)
      ORDER BY CASE WHEN a.preferred = :executorId THEN 0 ELSE 1 END, a.name LIMIT :limit
      """
          .replace("ORPHAN", ORPHAN);

  /** Takes new work. Its row stays locked, so that nobody takes the lease away meanwhile. */
  private static final String LIVES =
      """
      SELECT e.executor_group FROM millrace_executor e
      WHERE e.id = :executorId AND e.stopped IS NULL AND e.state = 'ACTIVE' AND e.expires >= :now
      FOR UPDATE
      """;

  private static final String FREE =
      """
      SELECT a.name FROM millrace_always_on a
      WHERE a.name = ANY(CAST(:names AS varchar ARRAY)) AND a.executor_group = :group AND ORPHAN
      ORDER BY a.name
      """
          .replace("ORPHAN", ORPHAN);

  private static final String CLAIM =
      """
      UPDATE millrace_always_on SET executor_id = :executorId, epoch = epoch + 1,
        generation = CASE WHEN chain = switches THEN generation + 1 ELSE 1 END,
        chain_started = CASE WHEN chain = switches THEN chain_started ELSE :now END,
        chain = switches, run_started = :now, run_mode = COALESCE(start_mode, 'AUTO'),
        run_reason = COALESCE(start_reason, 'DEPLOY'), start_mode = NULL, start_reason = NULL,
        iterations = 0, request = NULL, attention = FALSE, preferred = NULL, backoff_until = NULL,
        down_since = NULL, event_seq = event_seq + 1, modified = :now
      """
              .replace("'AUTO'", quoted(StartMode.AUTO))
              .replace("'DEPLOY'", quoted(StartMode.DEPLOY))
          + AlwaysOnRows.NAMED;

  /** Two of the four conditions are in {@code resting}: the cursor, and an iteration. */
  private static final String RIPE =
      """
      SELECT a.name FROM millrace_always_on a
      WHERE a.resting = :executorId AND a.desired = 'on'
        AND a.run_started <= (SELECT :now - CAST(:minAge AS bigint) * INTERVAL '0.000001' SECOND)
        AND (a.debug_until IS NULL OR a.debug_until <= (SELECT :now))
      """;

  private static final String RIPE_NAMED =
      RIPE + "AND a.name = ANY(CAST(:names AS varchar ARRAY)) ";

  private static final String CONTINUE =
      """
      UPDATE millrace_always_on SET generation = generation + 1, run_started = :now,
        run_mode = 'CONTINUATION', run_reason = :reason, iterations = 0,
        request = CASE WHEN request = 'CONTINUE' THEN NULL ELSE request END,
        event_seq = event_seq + 1, modified = :now
      """
              .replace("'CONTINUATION'", quoted(StartMode.CONTINUATION))
          + AlwaysOnRows.NAMED;

  /** What a person has wanted meanwhile is how the next run is started, but after a death. */
  private static final String GIVE_UP =
      """
      UPDATE millrace_always_on SET executor_id = NULL, request = NULL, attention = FALSE,
        start_mode = CASE WHEN desired = 'on' THEN COALESCE(LEFT_MODE, 'AUTO') END,
        start_reason = CASE WHEN desired = 'on' THEN COALESCE(LEFT_REASON, CAST(:reason AS varchar)) END,
        preferred = COALESCE(CAST(:preferred AS bigint), preferred),
        down_since = CASE WHEN desired = 'on' THEN :now END,
        event_seq = event_seq + 1, modified = :now
      """
              .replace("'AUTO'", quoted(StartMode.AUTO))
          + AlwaysOnRows.NAMED;

  private static final String GIVE_BACK =
      GIVE_UP.replace("LEFT_MODE", "start_mode").replace("LEFT_REASON", "start_reason");

  private static final String LOSE =
      GIVE_UP.replace("LEFT_MODE, ", "").replace("LEFT_REASON, ", "");

  private static final String FAIL =
      """
      UPDATE millrace_always_on SET executor_id = NULL, request = NULL, attention = FALSE,
        start_mode = 'AUTO', start_reason = 'RESTART', restarts = :restarts, error = :error,
        backoff_until = :now + CAST(:backOff AS bigint) * INTERVAL '0.000001' SECOND,
        crash_loop = :crashLoop, down_since = CASE WHEN desired = 'on' THEN :now END,
        event_seq = event_seq + :events, modified = :now
      """
              .replace("'AUTO'", quoted(StartMode.AUTO))
              .replace("'RESTART'", quoted(StartMode.RESTART))
          + AlwaysOnRows.NAMED;

  private static final String OWNED =
      """
      SELECT name FROM millrace_always_on WHERE executor_id = :executorId
      ORDER BY name FOR UPDATE
      """;

  private static final String WHY_STOPPED =
      """
      SELECT drain_reason FROM millrace_executor
      WHERE id = :executorId AND drain_reason IS NOT NULL
      """;

  private AlwaysOnRuns() {}

  private static String quoted(String text) {
    return "'" + text + "'";
  }

  static List<String> orphans(Session session, String group, long executorId, int limit)
      throws SQLException {
    return session.query(
        ORPHANS,
        Params.of("group", group).set("executorId", executorId).set("limit", limit),
        row -> row.getString("name"));
  }

  static List<AlwaysOn> claim(Session session, long executorId, List<String> names)
      throws SQLException {
    Optional<String> group =
        session.first(
            LIVES, Params.of("executorId", executorId), row -> row.getString("executor_group"));
    if (group.isEmpty()) {
      return List.of();
    }
    List<String> free =
        session.query(
            FREE + session.dialect().lockFree(),
            AlwaysOnRows.named(names).set("group", group.get()),
            row -> row.getString("name"));
    if (free.isEmpty()) {
      return List.of();
    }
    session.update(CLAIM, AlwaysOnRows.named(free).set("executorId", executorId));
    AlwaysOnEvents.begun(session, free, EventType.STARTED);
    return AlwaysOnRows.read(session, free);
  }

  static List<AlwaysOn> continueAsNew(
      Session session, long executorId, List<String> names, Duration minAge, String reason)
      throws SQLException {
    List<String> ripe =
        session.query(
            (names.isEmpty() ? RIPE : RIPE_NAMED)
                + "ORDER BY a.name"
                + session.dialect().lockFree(),
            AlwaysOnRows.named(names)
                .set("executorId", executorId)
                .set("minAge", Times.micros(minAge)),
            row -> row.getString("name"));
    if (ripe.isEmpty()) {
      return List.of();
    }
    session.update(CONTINUE, AlwaysOnRows.named(ripe).set("reason", Texts.word(reason)));
    AlwaysOnEvents.begun(session, ripe, EventType.CONTINUED);
    return AlwaysOnRows.read(session, ripe);
  }

  static int release(Session session, List<Owner> owners, String reason, @Nullable Long preferred)
      throws SQLException {
    Map<String, AlwaysOnRows.Locked> rows =
        AlwaysOnRows.lock(session, owners.stream().map(Owner::name).toList());
    Set<String> held = new TreeSet<>();
    for (Owner owner : owners) {
      AlwaysOnRows.Locked row = rows.get(owner.name());
      if (row != null && row.isOwnedBy(owner)) {
        held.add(owner.name());
      }
    }
    if (!held.isEmpty()) {
      AlwaysOnEvents.happened(session, held, EventType.GIVEN_BACK, reason, null, 1);
      session.update(
          GIVE_BACK,
          AlwaysOnRows.named(held).set("reason", Texts.word(reason)).set("preferred", preferred));
    }
    return held.size();
  }

  /** Takes all from an executor that has died, in the transaction of its recovery. */
  static void lose(Session session, long executorId, String detail) throws SQLException {
    List<String> owned = owned(session, executorId);
    if (!owned.isEmpty()) {
      AlwaysOnEvents.happened(session, owned, EventType.LOST, StartMode.FAILOVER, detail, 1);
      session.update(
          LOSE, AlwaysOnRows.named(owned).set("reason", StartMode.FAILOVER).set("preferred", null));
    }
  }

  /** Takes all from an executor that stops in good order, in the transaction of that. */
  static void handOver(Session session, long executorId) throws SQLException {
    List<String> owned = owned(session, executorId);
    if (!owned.isEmpty()) {
      String reason = StartMode.after(whyStopped(session, executorId));
      AlwaysOnEvents.happened(session, owned, EventType.GIVEN_BACK, reason, null, 1);
      session.update(
          GIVE_BACK, AlwaysOnRows.named(owned).set("reason", reason).set("preferred", null));
    }
  }

  private static @Nullable StopReason whyStopped(Session session, long executorId)
      throws SQLException {
    return session
        .first(
            WHY_STOPPED,
            Params.of("executorId", executorId),
            row -> StopReason.of(row.getString("drain_reason")))
        .orElse(null);
  }

  private static List<String> owned(Session session, long executorId) throws SQLException {
    return session.query(OWNED, Params.of("executorId", executorId), row -> row.getString("name"));
  }

  static boolean fail(Session session, Owner owner, Failure failure) throws SQLException {
    Optional<AlwaysOnRows.Locked> row = AlwaysOnRows.lock(session, owner);
    if (row.isEmpty()) {
      return false;
    }
    List<String> name = List.of(owner.name());
    String error = Texts.reason(failure.error());
    AlwaysOnEvents.happened(session, name, EventType.FAILED, StartMode.RESTART, error, 1);
    boolean begins = failure.crashLoop() && !row.get().crashLoop();
    if (begins) {
      AlwaysOnEvents.happened(session, name, EventType.CRASH_LOOP, StartMode.RESTART, error, 2);
    }
    session.update(
        FAIL,
        AlwaysOnRows.named(name)
            .set("restarts", failure.restarts())
            .set("error", error)
            .set("backOff", Times.micros(failure.backOff()))
            .set("crashLoop", failure.crashLoop())
            .set("events", begins ? 2 : 1));
    return true;
  }
}
