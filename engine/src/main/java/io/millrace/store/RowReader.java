package io.millrace.store;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A reader of rows that are added over time; each read continues after the last row. Thread-safe.
 */
public interface RowReader {

  /** Returns a description for people, such as {@code rows of the table orders}. */
  String describe();

  /**
   * Returns the next rows, in the order of their positions.
   *
   * @param after the position of the last row; null for the start
   * @throws io.millrace.instance.InvalidRequestException if the query cannot be read in this way
   * @throws StoreException if the database does not answer, or rejects the query
   */
  List<Row> read(@Nullable String after, int limit);

  /**
   * Returns true if the last read left out rows that a later one returns, for example because an
   * earlier transaction is still open. A trigger then reads again soon.
   */
  default boolean isWaiting() {
    return false;
  }

  /**
   * A row.
   *
   * @param id identifies the row and its change, at most 150 characters
   * @param values by column; anything that can be written as JSON
   */
  record Row(String id, String position, Map<String, @Nullable Object> values) {}
}
