package io.millrace.data;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A query for the periods of a key, in descending order. Immutable; the methods return changed
 * copies.
 *
 * @param from the first period's key, inclusive; null for no limit
 * @param to the last period's key, inclusive; null for no limit
 * @param states empty for all
 * @param cursor {@link io.millrace.instance.Page#next} of the page before; null for the first page
 * @param limit page size, 1 to 1,000
 */
public record PeriodQuery(
    String key,
    @Nullable String from,
    @Nullable String to,
    Set<PeriodState> states,
    @Nullable String cursor,
    int limit) {

  public static final int MAX_LIMIT = 1_000;

  /**
   * @throws io.millrace.instance.InvalidRequestException if the page size is out of range
   */
  public PeriodQuery {
    DataValidation.name("key", key, PeriodId.MAX_KEY);
    DataValidation.between("Page size", limit, 1, MAX_LIMIT);
    states = Set.copyOf(states);
  }

  /** Returns a query for all periods of a key, 100 per page. */
  public static PeriodQuery of(String schedule) {
    return new PeriodQuery(schedule, null, null, Set.of(), null, 100);
  }

  public PeriodQuery between(@Nullable String first, @Nullable String last) {
    return new PeriodQuery(key, first, last, states, cursor, limit);
  }

  public PeriodQuery states(PeriodState... some) {
    return new PeriodQuery(key, from, to, Set.of(some), cursor, limit);
  }

  public PeriodQuery after(@Nullable String next) {
    return new PeriodQuery(key, from, to, states, next, limit);
  }

  public PeriodQuery limit(int size) {
    return new PeriodQuery(key, from, to, states, cursor, size);
  }
}
