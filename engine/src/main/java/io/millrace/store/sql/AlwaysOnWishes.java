package io.millrace.store.sql;

import io.millrace.instance.Deed;
import io.millrace.store.AlwaysOn;
import io.millrace.store.AlwaysOn.Identity;
import io.millrace.store.AlwaysOn.Request;
import io.millrace.store.AlwaysOnStore.EventType;
import io.millrace.store.AlwaysOnStore.Owner;
import io.millrace.store.AlwaysOnStore.Registration;
import io.millrace.store.AuditTrail;
import io.millrace.store.StartMode;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the code and people want of continuous workflows. */
final class AlwaysOnWishes {

  private static final String IDENTITIES =
      "SELECT name, executor_group, type, settings FROM millrace_always_on" + AlwaysOnRows.NAMED;

  private static final String INSERT =
      """
      INSERT INTO millrace_always_on (name, executor_group, type, settings, desired, switches,
        start_mode, start_reason, down_since, event_seq, created, modified)
      SELECT d.name, d.executor_group, d.type, d.settings, d.desired,
        CASE WHEN d.desired = 'on' THEN 1 ELSE 0 END,
        CASE WHEN d.desired = 'on' THEN 'AUTO' END, CASE WHEN d.desired = 'on' THEN 'DEPLOY' END,
        CASE WHEN d.desired = 'on' THEN d.now END, CASE WHEN d.desired = 'on' THEN 1 ELSE 0 END,
        d.now, d.now
      FROM (SELECT v.*, (SELECT :now) AS now
            FROM UNNEST(CAST(:names AS varchar ARRAY), CAST(:groups AS varchar ARRAY),
              CAST(:types AS varchar ARRAY), CAST(:settings AS text ARRAY),
              CAST(:desires AS varchar ARRAY))
              AS v(name, executor_group, type, settings, desired)) d
      ORDER BY d.name
      """
          .replace("'AUTO'", "'" + StartMode.AUTO + "'")
          .replace("'DEPLOY'", "'" + StartMode.DEPLOY + "'");

  private static final String REPLACE =
      """
      MERGE INTO millrace_always_on a USING (
        SELECT v.*, (SELECT :now) AS now
        FROM UNNEST(CAST(:names AS varchar ARRAY), CAST(:groups AS varchar ARRAY),
          CAST(:types AS varchar ARRAY), CAST(:settings AS text ARRAY))
          AS v(name, executor_group, type, settings)\
      """
          + Params.LOOKED_UP
          + """
          ) d ON (a.name = d.name)
          WHEN MATCHED THEN UPDATE SET executor_group = d.executor_group, type = d.type,
            settings = d.settings, revision = a.revision + 1, modified = d.now,
            attention = CASE WHEN a.executor_id IS NULL THEN FALSE ELSE TRUE END
          """;

  private static final String DELETE = "DELETE FROM millrace_always_on" + AlwaysOnRows.NAMED;

  /** An owner that has not noticed yet that it should stop gives the run up for the new chain. */
  private static final String SWITCH_ON =
      """
      UPDATE millrace_always_on SET desired = 'on', switches = switches + 1,
        start_mode = 'HAND', start_reason = 'BY_HAND',
        request = CASE WHEN executor_id IS NULL THEN NULL ELSE 'RESTART' END,
        attention = CASE WHEN executor_id IS NULL THEN FALSE ELSE TRUE END,
        restarts = 0, crash_loop = FALSE, error = NULL, backoff_until = NULL,
        down_since = CASE WHEN executor_id IS NULL THEN :now END,
        revision = revision + 1, event_seq = event_seq + 1, modified = :now
      """
              .replace("'HAND'", "'" + StartMode.MANUAL + "'")
              .replace("'BY_HAND'", "'" + StartMode.BY_HAND + "'")
          + AlwaysOnRows.NAMED;

  private static final String SWITCH_OFF =
      """
      UPDATE millrace_always_on SET desired = 'off', start_mode = NULL, start_reason = NULL,
        request = NULL, preferred = NULL, restarts = 0, crash_loop = FALSE, backoff_until = NULL,
        attention = CASE WHEN executor_id IS NULL THEN FALSE ELSE TRUE END, down_since = NULL,
        revision = revision + 1, event_seq = event_seq + 1, modified = :now
      """
          + AlwaysOnRows.NAMED;

  /** Nobody need be asked where there is no owner: what is wanted is so at once. */
  private static final String ASK =
      """
      UPDATE millrace_always_on SET
        request = CASE WHEN executor_id IS NULL THEN NULL ELSE CAST(:request AS varchar) END,
        attention = CASE WHEN executor_id IS NULL THEN FALSE ELSE TRUE END,
        preferred = CASE WHEN CAST(:moves AS boolean) THEN CAST(:preferred AS bigint)
          ELSE preferred END,
        start_mode = CASE WHEN CAST(:restarts AS boolean) AND desired = 'on' THEN 'HAND'
          ELSE start_mode END,
        start_reason = CASE WHEN CAST(:restarts AS boolean) AND desired = 'on' THEN 'BY_HAND'
          ELSE start_reason END,
        backoff_until = CASE WHEN CAST(:restarts AS boolean) THEN NULL ELSE backoff_until END,
        restarts = CASE WHEN CAST(:restarts AS boolean) THEN 0 ELSE restarts END,
        crash_loop = CASE WHEN CAST(:restarts AS boolean) THEN FALSE ELSE crash_loop END,
        revision = revision + 1, modified = :now
      """
              .replace("'HAND'", "'" + StartMode.MANUAL + "'")
              .replace("'BY_HAND'", "'" + StartMode.BY_HAND + "'")
          + AlwaysOnRows.NAMED;

  private static final String DEBUGGED =
      "SELECT CASE WHEN debug_until > :now THEN TRUE ELSE FALSE END AS debugged"
          + " FROM millrace_always_on"
          + AlwaysOnRows.NAMED;

  private static final String DEBUG =
      """
      UPDATE millrace_always_on SET debug_by = :by,
        debug_until = :now + CAST(:limit AS bigint) * INTERVAL '0.000001' SECOND,
        event_seq = event_seq + :events, revision = revision + :events, modified = :now
      """
          + AlwaysOnRows.NAMED;

  private static final String END_DEBUG =
      """
      UPDATE millrace_always_on SET debug_by = NULL, debug_until = NULL, event_seq = event_seq + 1,
        revision = revision + 1, modified = :now
      """
          + AlwaysOnRows.NAMED;

  private static final String HEED =
      """
      UPDATE millrace_always_on SET attention = FALSE, request = NULL
      WHERE name = :name AND executor_id = :executorId AND epoch = :epoch AND revision = :revision
      """;

  private AlwaysOnWishes() {}

  /** Fails as a duplicate when another transaction adds one of the workflows at the same time. */
  static void register(Session session, List<Registration> workflows) throws SQLException {
    Map<String, Identity> known = new HashMap<>();
    session.visit(
        IDENTITIES,
        AlwaysOnRows.named(workflows.stream().map(w -> w.identity().name()).toList()),
        row ->
            known.put(
                row.getString("name"),
                new Identity(
                    row.getString("name"),
                    row.getString("executor_group"),
                    row.getString("type"),
                    row.getString("settings"))));
    List<Registration> missing =
        workflows.stream().filter(w -> !known.containsKey(w.identity().name())).toList();
    List<Registration> changed =
        workflows.stream()
            .filter(w -> known.containsKey(w.identity().name()))
            .filter(w -> !w.identity().equals(known.get(w.identity().name())))
            .toList();
    if (!changed.isEmpty()) {
      AlwaysOnRows.lock(session, changed.stream().map(w -> w.identity().name()).toList());
      session.update(REPLACE, identities(changed));
    }
    if (!missing.isEmpty()) {
      session.update(
          INSERT,
          identities(missing).texts("desires", missing, w -> AlwaysOnRows.code(w.desired())));
      List<String> on =
          missing.stream()
              .filter(w -> w.desired() == AlwaysOn.Desired.ON)
              .map(w -> w.identity().name())
              .toList();
      if (!on.isEmpty()) {
        AlwaysOnEvents.switchedOn(session, on, StartMode.DEPLOY, null);
      }
    }
  }

  private static Params identities(List<Registration> workflows) {
    return Params.none()
        .texts("names", workflows, w -> w.identity().name())
        .texts("groups", workflows, w -> w.identity().executorGroup())
        .texts("types", workflows, w -> w.identity().type())
        .texts("settings", workflows, w -> w.identity().settings());
  }

  static boolean remove(Session session, String name) throws SQLException {
    Optional<AlwaysOnRows.Locked> row = AlwaysOnRows.lock(session, name);
    if (row.isEmpty() || row.get().on() || row.get().executorId() != null) {
      return false;
    }
    AlwaysOnEvents.delete(session, name);
    AlwaysOnTriggers.deleteOffers(session, name);
    TriggerMemory.clear(session, name);
    session.update(DELETE, AlwaysOnRows.named(List.of(name)));
    return true;
  }

  static boolean desire(Session session, String name, AlwaysOn.Desired desired, Deed deed)
      throws SQLException {
    Optional<AlwaysOnRows.Locked> row = AlwaysOnRows.lock(session, name);
    boolean on = desired == AlwaysOn.Desired.ON;
    if (row.isEmpty() || row.get().on() == on) {
      return row.isPresent();
    }
    List<String> names = List.of(name);
    if (on) {
      session.update(SWITCH_ON, AlwaysOnRows.named(names));
      AlwaysOnEvents.switchedOn(session, names, StartMode.BY_HAND, deed.summary());
    } else {
      AlwaysOnEvents.happened(
          session, names, EventType.SWITCHED_OFF, StartMode.BY_HAND, deed.summary(), 1);
      session.update(SWITCH_OFF, AlwaysOnRows.named(names));
    }
    audit(session, name, on ? "switchOn" : "switchOff", deed);
    return true;
  }

  static boolean ask(
      Session session, String name, Request request, @Nullable Long preferred, Deed deed)
      throws SQLException {
    Params params =
        AlwaysOnRows.named(List.of(name))
            .set("request", request.name())
            .set("moves", request == Request.MOVE)
            .set("restarts", request == Request.RESTART)
            .set("preferred", preferred);
    if (session.update(ASK, params) == 0) {
      return false;
    }
    audit(session, name, request.name().toLowerCase(Locale.ROOT), deed);
    return true;
  }

  static boolean debug(Session session, String name, Duration limit, Deed deed)
      throws SQLException {
    if (AlwaysOnRows.lock(session, name).isEmpty()) {
      return false;
    }
    List<String> names = List.of(name);
    boolean debugged =
        session
            .query(DEBUGGED, AlwaysOnRows.named(names), row -> row.getBoolean("debugged"))
            .getFirst();
    if (limit.isPositive()) {
      if (!debugged) {
        AlwaysOnEvents.happened(session, names, EventType.DEBUG_BEGUN, null, deed.summary(), 1);
        audit(session, name, "debug", deed);
      }
      session.update(
          DEBUG,
          AlwaysOnRows.named(names)
              .set("by", Texts.actor(deed.actor()))
              .set("limit", Times.micros(limit))
              .set("events", debugged ? 0 : 1));
    } else if (debugged) {
      AlwaysOnEvents.happened(session, names, EventType.DEBUG_ENDED, null, deed.summary(), 1);
      session.update(END_DEBUG, AlwaysOnRows.named(names));
      audit(session, name, "debugEnd", deed);
    }
    return true;
  }

  static void heed(Session session, Owner owner, int revision) throws SQLException {
    session.update(
        HEED,
        Params.of("name", owner.name())
            .set("executorId", owner.executorId())
            .set("epoch", owner.epoch())
            .set("revision", revision));
  }

  private static void audit(Session session, String name, String action, Deed deed)
      throws SQLException {
    SqlAudit.insert(session, AuditTrail.ofAlwaysOn(name, action, deed), null);
  }
}
