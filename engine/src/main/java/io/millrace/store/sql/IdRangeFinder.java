package io.millrace.store.sql;

import io.millrace.instance.InstanceQuery;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A search for the ids of the instances that were started in a range of time. Ids grow with the
 * time of the start, except for transactions that overlap: an id is assigned before a start is
 * written, and a start in the caller's own transaction may wait long for its commit. Therefore the
 * range is extended by an hour on both sides. An instance whose id was assigned more than an hour
 * away from its {@code created} is not found.
 */
final class IdRangeFinder {

  private static final Duration SLACK = Duration.ofHours(1);

  /** Distance from the end at which a search costs more than it saves. */
  private static final long NEAR = 100;

  private static final String ENDS =
      "SELECT MIN(id) AS first, MAX(id) AS last FROM millrace_instance";

  private static final String NEXT =
      "SELECT id, created_at FROM millrace_instance WHERE id >= :id ORDER BY id LIMIT 1";

  private record Start(long id, Instant created) {}

  private final SqlSession session;

  private IdRangeFinder(SqlSession session) {
    this.session = session;
  }

  /** Returns the range of ids in which instances match {@code created}, up to {@code last}. */
  static InstanceSearchSql.IdBounds of(SqlSession session, InstanceQuery.Range created, long last)
      throws SQLException {
    if (created.from() == null && created.to() == null) {
      return new InstanceSearchSql.IdBounds(Long.MIN_VALUE, last);
    }
    InstanceSearchSql.IdBounds all =
        session
            .query(
                ENDS,
                Params.none(),
                row -> new InstanceSearchSql.IdBounds(row.getLong("first"), row.getLong("last")))
            .getFirst();
    IdRangeFinder range = new IdRangeFinder(session);
    return new InstanceSearchSql.IdBounds(
        created.from() == null
            ? all.first()
            : range.before(earlier(created.from()), all.first(), all.last()),
        created.to() == null
            ? last
            : Math.min(last, range.after(later(created.to()), all.first(), all.last())));
  }

  private static Instant earlier(Instant time) {
    return ColumnTimes.limited(time).minus(SLACK);
  }

  private static Instant later(Instant time) {
    return ColumnTimes.limited(time).plus(SLACK);
  }

  /** Returns an id before which all instances were started before {@code time}. */
  private long before(Instant time, long first, long last) throws SQLException {
    return turn(time, first, last)[0];
  }

  /** Returns an id after which no instance was started before {@code time}. */
  private long after(Instant time, long first, long last) throws SQLException {
    return turn(time, first, last)[1];
  }

  /** Returns two ids close to each other, between which the starts at {@code time} begin. */
  private long[] turn(Instant time, long first, long last) throws SQLException {
    long low = first;
    long high = last;
    while (high - low > NEAR) {
      long middle = low + (high - low) / 2;
      Start start = next(middle);
      if (start == null || start.id() > high || !start.created().isBefore(time)) {
        high = middle;
      } else {
        low = start.id();
      }
    }
    return new long[] {low, high};
  }

  private @Nullable Start next(long id) throws SQLException {
    Optional<Start> found =
        session.first(
            NEXT,
            Params.of("id", id),
            row -> new Start(row.getLong("id"), ColumnTimes.read(row, "created_at")));
    return found.orElse(null);
  }
}
