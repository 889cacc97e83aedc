package io.millrace.data;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which periods of a schedule to list, the last first in the order of their keys. Immutable; the
 * methods return changed copies.
 *
 * @param from the first period's key, inclusive; null for no limit
 * @param to the last period's key, inclusive; null for no limit
 * @param states empty for all
 * @param cursor {@link io.millrace.instance.Page#next} of the page before; null for the first page
 * @param limit page size, 1 to 1,000
 */
public record FireQuery(
    String schedule,
    @Nullable String from,
    @Nullable String to,
    Set<FireState> states,
    @Nullable String cursor,
    int limit) {

  public static final int MAX_LIMIT = 1_000;

  /**
   * @throws io.millrace.instance.InvalidRequestException when the page size is impossible
   */
  public FireQuery {
    Checks.name("id of a schedule", schedule, FireId.MAX_SCHEDULE);
    Checks.between("Page size", limit, 1, MAX_LIMIT);
    states = Set.copyOf(states);
  }

  /** All periods, 100 a page. */
  public static FireQuery of(String schedule) {
    return new FireQuery(schedule, null, null, Set.of(), null, 100);
  }

  public FireQuery between(@Nullable String first, @Nullable String last) {
    return new FireQuery(schedule, first, last, states, cursor, limit);
  }

  public FireQuery states(FireState... some) {
    return new FireQuery(schedule, from, to, Set.of(some), cursor, limit);
  }

  public FireQuery after(@Nullable String next) {
    return new FireQuery(schedule, from, to, states, next, limit);
  }

  public FireQuery limit(int size) {
    return new FireQuery(schedule, from, to, states, cursor, size);
  }
}
