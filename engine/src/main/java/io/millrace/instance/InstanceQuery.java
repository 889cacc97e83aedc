package io.millrace.instance;

import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which instances to list, newest first. Immutable; the methods return changed copies. All given
 * conditions must hold.
 *
 * @param match conditions on what an instance is; null fields match all
 * @param statuses empty for all
 * @param created limits on the time of the start
 * @param modified limits on the time of the last change
 * @param variable a variable's name and value; null for no such condition
 * @param limit page size, 1 to 1,000
 * @param cursor {@link Page#next} of the page before; null for the first page
 */
public record InstanceQuery(
    Match match,
    Set<InstanceStatus> statuses,
    Range created,
    Range modified,
    @Nullable VariableMatch variable,
    int limit,
    @Nullable String cursor) {

  public static final int MAX_LIMIT = 1000;

  /** Exact values to match; null matches all. */
  public record Match(
      @Nullable String type,
      @Nullable String state,
      @Nullable String businessKey,
      @Nullable String externalId,
      @Nullable Long parentId) {}

  /** From (inclusive) and to (exclusive); null for open. */
  public record Range(@Nullable Instant from, @Nullable Instant to) {
    static final Range ALL = new Range(null, null);
  }

  /**
   * A variable whose value, an arbitrary object that the codec can write, must equal {@code value}.
   */
  public record VariableMatch(String name, Object value) {}

  public InstanceQuery {
    statuses = Set.copyOf(statuses);
    if (limit < 1 || limit > MAX_LIMIT) {
      throw new InvalidRequestException(
          "Page size is " + limit + ", expected 1 to " + MAX_LIMIT + ".");
    }
  }

  /** All instances, 100 a page. */
  public static InstanceQuery all() {
    return new InstanceQuery(
        new Match(null, null, null, null, null), Set.of(), Range.ALL, Range.ALL, null, 100, null);
  }

  public InstanceQuery type(String type) {
    return match(new Match(type, match.state, match.businessKey, match.externalId, match.parentId));
  }

  public InstanceQuery state(String state) {
    return match(new Match(match.type, state, match.businessKey, match.externalId, match.parentId));
  }

  public InstanceQuery businessKey(String key) {
    return match(new Match(match.type, match.state, key, match.externalId, match.parentId));
  }

  public InstanceQuery externalId(String id) {
    return match(new Match(match.type, match.state, match.businessKey, id, match.parentId));
  }

  public InstanceQuery parent(long id) {
    return match(new Match(match.type, match.state, match.businessKey, match.externalId, id));
  }

  public InstanceQuery status(InstanceStatus first, InstanceStatus... more) {
    return new InstanceQuery(
        match, EnumSet.of(first, more), created, modified, variable, limit, cursor);
  }

  public InstanceQuery createdBetween(@Nullable Instant from, @Nullable Instant to) {
    return new InstanceQuery(
        match, statuses, new Range(from, to), modified, variable, limit, cursor);
  }

  public InstanceQuery modifiedBetween(@Nullable Instant from, @Nullable Instant to) {
    return new InstanceQuery(
        match, statuses, created, new Range(from, to), variable, limit, cursor);
  }

  public InstanceQuery variable(String name, Object value) {
    return new InstanceQuery(
        match, statuses, created, modified, new VariableMatch(name, value), limit, cursor);
  }

  public InstanceQuery limit(int pageSize) {
    return new InstanceQuery(match, statuses, created, modified, variable, pageSize, cursor);
  }

  public InstanceQuery after(@Nullable String nextCursor) {
    return new InstanceQuery(match, statuses, created, modified, variable, limit, nextCursor);
  }

  private InstanceQuery match(Match changed) {
    return new InstanceQuery(changed, statuses, created, modified, variable, limit, cursor);
  }
}
