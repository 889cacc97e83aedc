package io.millrace.data;

import io.millrace.instance.InvalidRequestException;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A query for the values of a group, the last modified first. Immutable; the methods return changed
 * copies.
 *
 * @param from the earliest modification, inclusive; null for no limit
 * @param to the latest modification, exclusive; null for no limit
 * @param statuses empty for all
 * @param cursor {@link io.millrace.instance.Page#next} of the page before; null for the first page
 * @param limit page size, 1 to 1,000; a page of large values ends earlier, with 8 MiB
 */
public record KeyQuery(
    String group,
    @Nullable Instant from,
    @Nullable Instant to,
    Set<KeyStatus> statuses,
    @Nullable String cursor,
    int limit) {

  public static final int MAX_LIMIT = 1_000;

  /**
   * @throws InvalidRequestException if the group or the page size is invalid
   */
  public KeyQuery {
    DataValidation.name("group", group, KeyId.MAX_LENGTH);
    DataValidation.between("Page size", limit, 1, MAX_LIMIT);
    statuses = Set.copyOf(statuses);
  }

  /** Returns a query for all values of a group, 100 per page. */
  public static KeyQuery of(String group) {
    return new KeyQuery(group, null, null, Set.of(), null, 100);
  }

  public KeyQuery between(@Nullable Instant first, @Nullable Instant end) {
    return new KeyQuery(group, first, end, statuses, cursor, limit);
  }

  public KeyQuery statuses(KeyStatus... some) {
    return new KeyQuery(group, from, to, Set.of(some), cursor, limit);
  }

  public KeyQuery after(@Nullable String next) {
    return new KeyQuery(group, from, to, statuses, next, limit);
  }

  public KeyQuery limit(int size) {
    return new KeyQuery(group, from, to, statuses, cursor, size);
  }

  /** The end of a page. */
  public record Cursor(Instant modified, String keyHash) {

    public String text() {
      return modified + "/" + keyHash;
    }
  }

  /**
   * Returns the end of the previous page; null for the first page.
   *
   * @throws InvalidRequestException if the cursor does not belong to this listing
   */
  public @Nullable Cursor start() {
    if (cursor == null) {
      return null;
    }
    int slash = cursor.indexOf('/');
    try {
      return new Cursor(Instant.parse(cursor.substring(0, slash)), cursor.substring(slash + 1));
    } catch (RuntimeException e) {
      throw new InvalidRequestException(
          "The cursor '" + cursor + "' is none of a list of keys; use the one of the page before.");
    }
  }
}
