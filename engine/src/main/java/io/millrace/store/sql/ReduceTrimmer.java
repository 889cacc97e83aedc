package io.millrace.store.sql;

import io.millrace.instance.TimeLimits;
import io.millrace.store.ReduceStore;
import io.millrace.store.ReduceStore.TrimResult;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Forgets and deletes one part of the old records of a group, whose row the transaction has locked.
 * It reads their keys first: a subquery of the changed table costs H2 a run for each row.
 */
final class ReduceTrimmer {

  private static final String OLD_KNOWN = ReduceSql.old(ReduceSql.KNOWN);
  private static final String OLD_FORGOTTEN = ReduceSql.old(ReduceSql.FORGOTTEN);
  private static final String OLDEST_KNOWN = ReduceSql.oldest(ReduceSql.KNOWN);
  private static final String OLDEST_FORGOTTEN = ReduceSql.oldest(ReduceSql.FORGOTTEN);
  private static final String COUNT_KNOWN = ReduceSql.count(ReduceSql.KNOWN);
  private static final String COUNT_FORGOTTEN = ReduceSql.count(ReduceSql.FORGOTTEN);

  private final SqlSession session;
  private final SqlReduceStore.Group group;
  private int forgotten;
  private int deleted;

  ReduceTrimmer(SqlSession session, SqlReduceStore.Group group) {
    this.session = session;
    this.group = group;
  }

  TrimResult trim(@Nullable Duration retention, long most) throws SQLException {
    if (retention != null) {
      Instant before = TimeLimits.before(group.now(), retention);
      forget(old(OLD_KNOWN, before));
      delete(old(OLD_FORGOTTEN, TimeLimits.before(before, retention)));
    }
    if (most > 0) {
      forget(beyond(COUNT_KNOWN, OLDEST_KNOWN, most));
      delete(beyond(COUNT_FORGOTTEN, OLDEST_FORGOTTEN, most));
    }
    session.update(
        deleted > 0 ? ReduceSql.NEXT_DELETED_SEQ : ReduceSql.LIMIT_GROUP,
        Params.of("id", group.id()));
    return new TrimResult(forgotten, room() == 0);
  }

  private int room() {
    return ReduceStore.ROWS_PER_PART - forgotten - deleted;
  }

  private List<String> old(String query, Instant before) throws SQLException {
    return room() == 0
        ? List.of()
        : keys(query, group.params().set("before", ColumnTimes.truncate(before)));
  }

  private List<String> beyond(String count, String query, long most) throws SQLException {
    if (room() == 0) {
      return List.of();
    }
    long excess =
        session.query(count, group.params(), row -> row.getLong("records")).getFirst() - most;
    return excess <= 0 ? List.of() : keys(query, group.params().set("excess", excess));
  }

  private List<String> keys(String query, Params params) throws SQLException {
    return session.query(query, params.set("rows", room()), row -> row.getString("key_hash"));
  }

  private void forget(List<String> keys) throws SQLException {
    forgotten += SqlReduceStore.forget(session, group, keys);
  }

  private void delete(List<String> keys) throws SQLException {
    deleted += SqlReduceStore.update(session, ReduceSql.DELETE, group.params(), keys);
  }
}
