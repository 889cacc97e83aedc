package io.millrace.instance;

import java.time.Instant;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A query for instances, newest first, or in order of their end if that is limited. Immutable; the
 * methods return changed copies. All given conditions must hold.
 *
 * @param match conditions on the properties of an instance
 * @param keys conditions on its keys
 * @param statuses empty for all
 * @param times limits on its times
 * @param variable a variable's name and value; null for no such condition
 * @param limit page size, 1 to 1,000
 * @param cursor {@link Page#next} of the page before; null for the first page
 */
public record InstanceQuery(
    Match match,
    Keys keys,
    Set<InstanceStatus> statuses,
    Times times,
    @Nullable VariableMatch variable,
    int limit,
    @Nullable String cursor) {

  public static final int MAX_LIMIT = 1000;

  /**
   * Exact values to match; null matches all.
   *
   * @param types any of these; empty for all
   * @param executor the executor that holds it
   * @param failure the fingerprint of the failure that it ended or was parked by
   * @param withoutTypes none of these; empty for no such condition
   */
  public record Match(
      Set<String> types,
      @Nullable String state,
      @Nullable String executorGroup,
      @Nullable Long executor,
      @Nullable String failure,
      Set<String> withoutTypes) {
    public Match {
      types = Set.copyOf(types);
      withoutTypes = Set.copyOf(withoutTypes);
      types.forEach(type -> requireStorable("type", type));
      requireStorable("state", state);
      requireStorable("executor group", executorGroup);
      requireStorable("failure", failure);
    }

    /** Creates conditions that leave out no type. */
    public Match(
        Set<String> types,
        @Nullable String state,
        @Nullable String executorGroup,
        @Nullable Long executor,
        @Nullable String failure) {
      this(types, state, executorGroup, executor, failure, Set.of());
    }
  }

  /**
   * Conditions on keys; null matches all.
   *
   * @param either the whole business key or external id
   * @param prefix the beginning of the business key or of the external id, in upper or lower case
   */
  public record Keys(
      @Nullable String businessKey,
      @Nullable String externalId,
      @Nullable String either,
      @Nullable String prefix,
      @Nullable Long parentId) {
    public Keys {
      requireStorable("business key", businessKey);
      requireStorable("external id", externalId);
      requireStorable("key", either);
      requireStorable("prefix of a key", prefix);
    }
  }

  /**
   * Limits on times.
   *
   * @param created of the start
   * @param modified of the last change
   * @param ended of the end; null for those that have not ended, too
   */
  public record Times(Range created, Range modified, @Nullable Range ended) {}

  /** A range of time, from inclusive to exclusive; null for unbounded. */
  public record Range(@Nullable Instant from, @Nullable Instant to) {
    static final Range ALL = new Range(null, null);
  }

  /**
   * A variable whose value, an arbitrary object that the codec can write, must equal {@code value}
   * as JSON text: {@code 1} is not {@code 1.0}. Only numbers, truth values and texts of up to 200
   * characters in JSON are found by an index.
   */
  public record VariableMatch(String name, Object value) {
    public VariableMatch {
      requireStorable("variable name", name);
    }
  }

  private static void requireStorable(String what, @Nullable String text) {
    if (text != null && !StorableText.isStorable(text)) {
      throw new InvalidRequestException(
          "The "
              + what
              + " to look for is '"
              + StorableText.repaired(text)
              + "'; expected text "
              + StorableText.EXPECTED
              + ".");
    }
  }

  public InstanceQuery {
    statuses = Set.copyOf(statuses);
    if (limit < 1 || limit > MAX_LIMIT) {
      throw new InvalidRequestException(
          "Page size is " + limit + ", expected 1 to " + MAX_LIMIT + ".");
    }
  }

  /** Returns a query for all instances, 100 a page. */
  public static InstanceQuery all() {
    return new InstanceQuery(
        new Match(Set.of(), null, null, null, null),
        new Keys(null, null, null, null, null),
        Set.of(),
        new Times(Range.ALL, Range.ALL, null),
        null,
        100,
        null);
  }

  /** Returns a query for instances of any of these types. */
  public InstanceQuery type(String first, String... more) {
    Set<String> types = new LinkedHashSet<>(List.of(more));
    types.add(first);
    return match(
        new Match(
            types,
            match.state,
            match.executorGroup,
            match.executor,
            match.failure,
            match.withoutTypes));
  }

  /** Returns a query that excludes these types. */
  public InstanceQuery withoutTypes(Set<String> types) {
    return match(
        new Match(
            match.types, match.state, match.executorGroup, match.executor, match.failure, types));
  }

  public InstanceQuery state(String state) {
    return match(
        new Match(
            match.types,
            state,
            match.executorGroup,
            match.executor,
            match.failure,
            match.withoutTypes));
  }

  public InstanceQuery executorGroup(String group) {
    return match(
        new Match(
            match.types, match.state, group, match.executor, match.failure, match.withoutTypes));
  }

  /** Returns a query for instances that this executor holds now. */
  public InstanceQuery executor(long id) {
    return match(
        new Match(
            match.types, match.state, match.executorGroup, id, match.failure, match.withoutTypes));
  }

  /**
   * Returns a query for instances that ended or were parked by failures with this fingerprint; see
   * {@link WorkflowInstance#failure}.
   */
  public InstanceQuery failure(String fingerprint) {
    return match(
        new Match(
            match.types,
            match.state,
            match.executorGroup,
            match.executor,
            fingerprint,
            match.withoutTypes));
  }

  public InstanceQuery businessKey(String key) {
    return keys(new Keys(key, keys.externalId, keys.either, keys.prefix, keys.parentId));
  }

  public InstanceQuery externalId(String id) {
    return keys(new Keys(keys.businessKey, id, keys.either, keys.prefix, keys.parentId));
  }

  /** Returns a query for instances with this business key or external id. */
  public InstanceQuery key(String text) {
    return keys(new Keys(keys.businessKey, keys.externalId, text, keys.prefix, keys.parentId));
  }

  /**
   * Returns a query for business keys and external ids that begin with {@code text}, in any case.
   */
  public InstanceQuery keyPrefix(String text) {
    return keys(new Keys(keys.businessKey, keys.externalId, keys.either, text, keys.parentId));
  }

  public InstanceQuery parent(long id) {
    return keys(new Keys(keys.businessKey, keys.externalId, keys.either, keys.prefix, id));
  }

  public InstanceQuery status(InstanceStatus first, InstanceStatus... more) {
    return new InstanceQuery(match, keys, EnumSet.of(first, more), times, variable, limit, cursor);
  }

  public InstanceQuery createdBetween(@Nullable Instant from, @Nullable Instant to) {
    return times(new Times(new Range(from, to), times.modified, times.ended));
  }

  public InstanceQuery modifiedBetween(@Nullable Instant from, @Nullable Instant to) {
    return times(new Times(times.created, new Range(from, to), times.ended));
  }

  /** Returns a query for instances that ended in a range of time, newest end first. */
  public InstanceQuery endedBetween(@Nullable Instant from, @Nullable Instant to) {
    return times(new Times(times.created, times.modified, new Range(from, to)));
  }

  public InstanceQuery variable(String name, Object value) {
    return new InstanceQuery(
        match, keys, statuses, times, new VariableMatch(name, value), limit, cursor);
  }

  public InstanceQuery limit(int pageSize) {
    return new InstanceQuery(match, keys, statuses, times, variable, pageSize, cursor);
  }

  public InstanceQuery after(@Nullable String nextCursor) {
    return new InstanceQuery(match, keys, statuses, times, variable, limit, nextCursor);
  }

  private InstanceQuery match(Match changed) {
    return new InstanceQuery(changed, keys, statuses, times, variable, limit, cursor);
  }

  private InstanceQuery keys(Keys changed) {
    return new InstanceQuery(match, changed, statuses, times, variable, limit, cursor);
  }

  private InstanceQuery times(Times changed) {
    return new InstanceQuery(match, keys, statuses, changed, variable, limit, cursor);
  }
}
