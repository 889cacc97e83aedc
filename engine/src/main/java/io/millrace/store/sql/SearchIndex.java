package io.millrace.store.sql;

import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A source in which PostgreSQL finds the newest instances that match a query: an index whose last
 * two columns are one of these and the id. The order of the result contains both columns, and the
 * first is limited by a range. With an equality and old statistics, PostgreSQL may walk through all
 * ids in their order, which takes time in proportion to the number of instances.
 *
 * @param predicate condition of the index, or of the part of it that is read
 * @param column of the index before the id; null if the ids are known
 * @param value of this column
 * @param kinds true if every type and executor group is read in turn
 */
record SearchIndex(
    String predicate, @Nullable String column, @Nullable String value, boolean kinds) {

  /** Statuses that are found by an index entry of their own. */
  private static final Set<InstanceStatus> RARE =
      EnumSet.of(
          InstanceStatus.EXECUTING,
          InstanceStatus.PAUSED,
          InstanceStatus.MANUAL,
          InstanceStatus.FAILED,
          InstanceStatus.CANCELLED);

  private static final Set<InstanceStatus> OPEN =
      EnumSet.of(InstanceStatus.CREATED, InstanceStatus.IN_PROGRESS);

  /**
   * Returns the sources to read for {@code query}; empty if the order of ids leads to the result.
   */
  static List<SearchIndex> of(InstanceQuery query) {
    SearchIndex key = ofKey(query);
    if (key != null) {
      return List.of(key);
    }
    InstanceQuery.Match match = query.match();
    boolean kinds = !match.types().isEmpty() || match.executorGroup() != null;
    Set<InstanceStatus> statuses = query.statuses();
    boolean open = statuses.isEmpty() || statuses.stream().anyMatch(OPEN::contains);
    boolean past = statuses.isEmpty() || statuses.contains(InstanceStatus.FINISHED);
    if (open && past && !kinds) {
      return List.of();
    }
    List<SearchIndex> sources = new ArrayList<>();
    if (open) {
      sources.add(half("w.ended_at IS NULL"));
    }
    if (past) {
      sources.add(half("w.ended_at IS NOT NULL"));
    }
    statuses.stream()
        .filter(RARE::contains)
        .filter(status -> !(status.isTerminal() ? past : open))
        .sorted()
        .map(SearchIndex::rare)
        .forEach(sources::add);
    return sources;
  }

  /** Returns true if the query has a condition that few instances fulfill. */
  static boolean hasKey(InstanceQuery query) {
    return ofKey(query) != null;
  }

  private static @Nullable SearchIndex ofKey(InstanceQuery query) {
    InstanceQuery.Keys keys = query.keys();
    InstanceQuery.Match match = query.match();
    if (keys.externalId() != null) {
      return ids("k.external_id = :externalId");
    }
    if (keys.either() != null) {
      return ids("k.business_key = :either", "k.external_id = :either");
    }
    if (keys.prefix() != null) {
      return ids(
          "LOWER(k.business_key) LIKE :prefix ESCAPE '!'",
          "LOWER(k.external_id) LIKE :prefix ESCAPE '!'");
    }
    if (keys.businessKey() != null) {
      return key("w.business_key", ":businessKey");
    }
    if (match.executor() != null) {
      return ids("k.executor_id = :executor");
    }
    if (keys.parentId() != null) {
      return key("w.parent_id", ":parentId");
    }
    return match.failure() == null ? null : key("w.failure_fingerprint", ":failure");
  }

  private static SearchIndex half(String predicate) {
    return new SearchIndex(predicate, "w.executor_group", "kind.executor_group", true);
  }

  private static SearchIndex rare(InstanceStatus status) {
    return status == InstanceStatus.EXECUTING
        ? ids("k.executor_id IS NOT NULL")
        : half("w.status = '" + status.code() + "'");
  }

  private static SearchIndex key(String column, String value) {
    return new SearchIndex(column + " IS NOT NULL", column, value, false);
  }

  /** Returns a source of the few ids that an index finds in no order. */
  private static SearchIndex ids(String condition, String... more) {
    String found =
        Stream.concat(Stream.of(condition), Stream.of(more))
            .map("SELECT k.id FROM millrace_instance k WHERE "::concat)
            .collect(Collectors.joining(" UNION ALL "));
    return new SearchIndex("w.id = ANY(ARRAY(" + found + "))", null, null, false);
  }

  /**
   * Returns a query in brackets for the newest instances of this source. Each kind is found from
   * the previous one, without reading the instances of either.
   *
   * @param selected columns of {@code w}
   * @param and further conditions on {@code w}, each after AND
   * @param andKind conditions on {@code kind}, each after AND
   */
  String newest(String selected, String and, String andKind) {
    String start = "SELECT " + selected + " FROM millrace_instance w WHERE " + predicate + and;
    if (column == null) {
      // The sum keeps PostgreSQL from reading all rows between the two.
      return "("
          + start
          + " AND w.id + 0 BETWEEN :first AND :last ORDER BY w.id DESC LIMIT :limit)";
    }
    String newest =
        "("
            + start
            + (kinds ? " AND w.type = kind.type" : "")
            + """
             AND COLUMN >= VALUE AND COLUMN <= VALUE AND w.id >= :first AND w.id <= :last
            ORDER BY COLUMN DESC, w.id DESC LIMIT :limit)
            """
                .replace("COLUMN", column)
                .replace("VALUE", String.valueOf(value));
    return kinds ? ofEachKind(newest, andKind) : newest;
  }

  private String ofEachKind(String newest, String andKind) {
    return """
    (WITH RECURSIVE kind AS (
      (SELECT w.type, w.executor_group FROM millrace_instance w
       WHERE %1$s ORDER BY w.type, w.executor_group LIMIT 1)
      UNION ALL
      SELECT next.type, next.executor_group FROM kind CROSS JOIN LATERAL (
        SELECT w.type, w.executor_group FROM millrace_instance w
        WHERE %1$s AND (w.type, w.executor_group) > (kind.type, kind.executor_group)
        ORDER BY w.type, w.executor_group LIMIT 1) next)
    SELECT found.* FROM kind CROSS JOIN LATERAL %2$s found WHERE TRUE%3$s)
    """
        .formatted(predicate, newest, andKind);
  }
}
