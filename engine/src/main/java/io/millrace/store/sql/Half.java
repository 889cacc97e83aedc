package io.millrace.store.sql;

import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The instances that have not ended, or those that have. On PostgreSQL each half has an index by
 * type and id, so that the first is found quickly however long the second grows.
 */
enum Half {
  OPEN("w.ended IS NULL"),
  PAST("w.ended IS NOT NULL");

  /** Each is found by an index of its own, which holds fewer rows than its half. */
  private static final Set<InstanceStatus> RARE =
      EnumSet.of(
          InstanceStatus.EXECUTING,
          InstanceStatus.PAUSED,
          InstanceStatus.MANUAL,
          InstanceStatus.FAILED);

  private final String condition;

  Half(String condition) {
    this.condition = condition;
  }

  /** What to read for {@code query}; nothing when other indexes lead to the answer sooner. */
  static List<Half> of(InstanceQuery query) {
    Set<InstanceStatus> statuses = query.statuses();
    if (hasKey(query) || (!statuses.isEmpty() && RARE.containsAll(statuses))) {
      return List.of();
    }
    List<Half> wanted = Stream.of(values()).filter(half -> half.holdsAny(statuses)).toList();
    return wanted.size() == 1 || query.match().type() != null ? wanted : List.of();
  }

  private static boolean hasKey(InstanceQuery query) {
    InstanceQuery.Match match = query.match();
    return match.businessKey() != null
        || match.externalId() != null
        || match.parentId() != null
        || query.variable() != null;
  }

  private boolean holdsAny(Set<InstanceStatus> statuses) {
    return statuses.isEmpty()
        || statuses.stream().anyMatch(status -> status.isTerminal() == (this == PAST));
  }

  /** The newest of type {@code :type}, as a query in brackets. */
  String ofType(String conditions) {
    return newest(":type", conditions);
  }

  /**
   * The newest of each type, as what stands between FROM and the name. Each type is found from the
   * one before it, without reading the instances of either.
   */
  String ofEachType(String conditions) {
    return """
    (WITH RECURSIVE next AS (
      SELECT MIN(w.type) AS type FROM millrace_workflow w WHERE %1$s
      UNION ALL
      SELECT (SELECT MIN(w.type) FROM millrace_workflow w WHERE %1$s AND w.type > next.type)
      FROM next WHERE next.type IS NOT NULL)
    SELECT type FROM next WHERE type IS NOT NULL) t CROSS JOIN LATERAL %2$s
    """
        .formatted(condition, newest("t.type", conditions));
  }

  /**
   * A range and an order that hold the type leave no choice but the index by type and id: with an
   * equality PostgreSQL may walk through all ids in their order, which takes as long as there are
   * instances when its statistics are old.
   */
  private String newest(String type, String conditions) {
    return """
    (SELECT %s FROM millrace_workflow w
     WHERE %s AND w.type >= %s AND (w.type, w.id) <= (%s, :last)%s
     ORDER BY w.type DESC, w.id DESC LIMIT :limit)
    """
        .formatted(Rows.INSTANCE, condition, type, type, conditions);
  }
}
