package io.millrace.store.sql;

import io.millrace.store.RetentionStore;
import io.millrace.store.StoreException;
import io.millrace.store.sql.RemovalTables.Plan;
import io.millrace.store.sql.RemovalTables.Removal;
import io.millrace.store.sql.RemovalTables.Statements;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Archives and deletes ended instances. A transaction handles as many instances as its budget of
 * rows allows. An instance with more rows is removed in parts: its own row is removed first, so
 * that it cannot be read or retried any more, and a row of {@code millrace_removal} records it
 * until all other rows have followed.
 */
final class InstanceRemover {

  private static final Logger LOG = LoggerFactory.getLogger(InstanceRemover.class);

  private static final String OLD_ARCHIVED =
      "SELECT a.id FROM millrace_archive_instance a WHERE a.ended_at < (SELECT "
          + SqlRetentionStore.BEFORE
          + """
          ) AND (SELECT r.instance_id FROM millrace_removal r WHERE r.instance_id = a.id) IS NULL
          ORDER BY a.ended_at, a.id LIMIT :limit\
          """;

  private static final String REMEMBER =
      """
      INSERT INTO millrace_removal (instance_id, kind, ended_at)
      SELECT id, CAST(:kind AS varchar), ended_at FROM\
      """;

  private static final String UNFINISHED =
      """
      SELECT instance_id, kind FROM millrace_removal
      WHERE NOT instance_id = ANY(CAST(:skipped AS bigint ARRAY))
      ORDER BY instance_id LIMIT 1\
      """;

  private static final String FORGET = "DELETE FROM millrace_removal WHERE instance_id = :id";

  /**
   * Maximum number of failed instances that are removed one by one; beyond it the first are
   * retried.
   */
  private static final int MAX_SKIPPED = 1_000;

  private record Unfinished(long id, Removal removal) {}

  private final Jdbc jdbc;
  private final Map<Removal, Plan> plans = new EnumMap<>(Removal.class);

  private final AtomicBoolean missingReported = new AtomicBoolean();

  /** Instances that could not be removed, skipped until no other one of their kind is left. */
  private final Map<Removal, Set<Long>> skipped = new EnumMap<>(Removal.class);

  /** Instances whose removal could not be continued, skipped until no other is left. */
  private final Set<Long> skippedParts = ConcurrentHashMap.newKeySet();

  InstanceRemover(Jdbc jdbc) {
    this.jdbc = jdbc;
    for (Removal removal : Removal.values()) {
      plans.put(removal, RemovalTables.plan(removal, jdbc.dialect()));
      skipped.put(removal, ConcurrentHashMap.newKeySet());
    }
  }

  private Plan plan(Removal removal) {
    return Objects.requireNonNull(plans.get(removal));
  }

  private Set<Long> skipped(Removal removal) {
    return Objects.requireNonNull(skipped.get(removal));
  }

  /**
   * Removes up to {@code limit} old instances, in as many transactions as their rows need. Returns
   * the number of handled instances. Partly removed instances come last.
   */
  int remove(Removal removal, Duration age, int limit) {
    int removed = 0;
    for (boolean more = true; more; ) {
      Batch batch = removeBatch(removal, age, limit, limit - removed);
      removed += batch.handled;
      more = batch.handled < batch.found && removed < limit;
    }
    if (removed > 0) {
      return removed;
    }
    skipped(removal).clear();
    return resume(limit);
  }

  private record Batch(int found, int handled) {}

  private Batch removeBatch(Removal removal, Duration age, int limit, int most) {
    List<Long> handled = new ArrayList<>();
    return attempt(
        removal.action,
        limit,
        handled,
        skipped(removal),
        session -> {
          List<Long> old = old(session, removal, age, most);
          if (!old.isEmpty()) {
            remove(session, removal, old, budget(limit), handled);
          }
          return new Batch(old.size(), handled.size());
        });
  }

  /** Continues with one partly removed instance. Returns 0 if there is none. */
  int resume(int limit) {
    List<Long> handled = new ArrayList<>();
    int resumed =
        attempt(
            "go on with an instance that is archived or deleted in parts",
            limit,
            handled,
            skippedParts,
            session -> {
              Optional<Unfinished> next =
                  session.first(
                      UNFINISHED + jdbc.dialect().skipLocked(),
                      Params.none().longs("skipped", skippedParts),
                      row ->
                          new Unfinished(
                              row.getLong("instance_id"), Removal.of(row.getString("kind"))));
              if (next.isPresent()) {
                handled.add(next.get().id);
                removePart(session, next.get(), budget(limit));
              }
              return handled.size();
            });
    if (resumed == 0) {
      skippedParts.clear();
    }
    return resumed;
  }

  private static int budget(int limit) {
    return Math.multiplyExact(limit, RetentionStore.ROWS_PER_INSTANCE);
  }

  /**
   * Runs work in one transaction. If it fails, the exception names the instances.
   *
   * @param handled is filled with the instances that a failure is about
   * @param passedOver receives the one that cannot be removed even in the smallest batch
   */
  private <T> T attempt(
      String action,
      int limit,
      List<Long> handled,
      Set<Long> passedOver,
      Jdbc.SessionCallback<T> work) {
    try {
      return jdbc.transaction(
          action,
          StatementTimeout.LONG,
          session -> {
            handled.clear();
            jdbc.dialect().preferIndexOrder(session);
            return work.run(session);
          });
    } catch (StoreException e) {
      if (handled.isEmpty()) {
        throw e;
      }
      boolean single = handled.size() == 1 && limit == 1 && (e.rejected() || e.blocked());
      if (single) {
        skip(handled.getFirst(), passedOver);
      }
      throw named(handled, single, e);
    }
  }

  private static void skip(long id, Set<Long> passedOver) {
    if (passedOver.size() >= MAX_SKIPPED) {
      passedOver.clear();
    }
    passedOver.add(id);
  }

  private static StoreException named(List<Long> ids, boolean skipped, StoreException failure) {
    String name = "Instance " + ids.getFirst();
    if (ids.size() > 1) {
      name += " and " + (ids.size() - 1) + " more were not removed: ";
    } else {
      name += skipped ? " is skipped for now: " : " was not removed: ";
    }
    return failure.blocked()
        ? StoreException.blocked(name + failure.getMessage(), failure)
        : new StoreException(name + failure.getMessage(), failure.rejected(), failure);
  }

  private List<Long> old(SqlSession session, Removal removal, Duration age, int limit)
      throws SQLException {
    if (removal != Removal.DELETE_ARCHIVED && isFeatureMissing(session)) {
      return List.of();
    }
    Set<Long> passedOver = skipped(removal);
    int searched = limit + passedOver.size();
    List<Long> old =
        removal == Removal.DELETE_ARCHIVED
            ? SqlRetentionStore.ids(
                session, OLD_ARCHIVED + jdbc.dialect().skipLocked(), age, searched)
            : jdbc.dialect().lockRemovable(session, age, searched);
    return old.stream().filter(id -> !passedOver.contains(id)).limit(limit).toList();
  }

  /** Returns true if a feature that is not in this store may still need an ended instance. */
  private boolean isFeatureMissing(SqlSession session) throws SQLException {
    List<String> missing = session.hooks().missing(session);
    if (!missing.isEmpty() && missingReported.compareAndSet(false, true)) {
      LOG.warn(
          "This engine archives and deletes no ended instances: the database has tables of"
              + " features that this engine has not, and which may still need the instances."
              + " Engines with these features remove them. features={}",
          missing);
    }
    return !missing.isEmpty();
  }

  private void remove(
      SqlSession session, Removal removal, List<Long> old, int budget, List<Long> handled)
      throws SQLException {
    Map<Long, Long> rows = new HashMap<>();
    session.forEachRow(
        plan(removal).count(),
        Params.none().longs("ids", old).set("most", budget + 1),
        row -> rows.put(row.getLong("id"), row.getLong("total")));
    long room = budget;
    for (long id : old) {
      room -= rows.getOrDefault(id, 0L);
      if (room < 0) {
        break;
      }
      handled.add(id);
    }
    if (handled.isEmpty()) {
      handled.add(old.getFirst());
      begin(session, new Unfinished(old.getFirst(), removal), budget);
    } else {
      for (Statements statements : plan(removal).all()) {
        removeAll(session, statements, handled);
      }
    }
  }

  private void begin(SqlSession session, Unfinished unfinished, int budget) throws SQLException {
    Plan plan = plan(unfinished.removal);
    session.update(
        REMEMBER + " " + plan.source() + " WHERE id = :id",
        Params.of("id", unfinished.id).set("kind", unfinished.removal.code));
    removeAll(session, plan.instances(), List.of(unfinished.id));
    removePart(session, unfinished, budget);
  }

  private static void removeAll(SqlSession session, Statements statements, List<Long> ids)
      throws SQLException {
    update(session, statements.copyAll(), Params.none().longs("ids", ids));
    update(session, statements.deleteAll(), Params.none().longs("ids", ids));
  }

  private void removePart(SqlSession session, Unfinished unfinished, int budget)
      throws SQLException {
    int room = budget;
    for (Statements statements : plan(unfinished.removal).parts()) {
      Params params = Params.of("id", unfinished.id).set("rows", room);
      update(session, statements.copyPart(), params);
      room -= update(session, statements.deletePart(), params);
      if (room == 0) {
        return;
      }
    }
    session.update(FORGET, Params.of("id", unfinished.id));
  }

  private static int update(SqlSession session, @Nullable String sql, Params params)
      throws SQLException {
    return sql == null ? 0 : session.update(sql, params);
  }
}
