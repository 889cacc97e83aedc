package io.millrace.store;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rows that grow in number, read on from where the last one was. Thread-safe. */
public interface RowReader {

  /** Returns a description for people, such as {@code rows of the table orders}. */
  String describe();

  /**
   * The next rows, in the order of their positions.
   *
   * @param after the position of the last row; null for the beginning
   * @throws io.millrace.instance.InvalidRequestException when the query cannot be read so
   * @throws StoreException when the database does not answer, or refuses the query
   */
  List<Row> read(@Nullable String after, int limit);

  /**
   * Returns true if the last read left out rows that a later one returns, for example because a
   * transaction that began before them is still open. A trigger then reads again soon.
   */
  default boolean isWaiting() {
    return false;
  }

  /**
   * A row.
   *
   * @param id names it and the change of it, at most 150 characters
   * @param values by column; anything that can be written as JSON
   */
  record Row(String id, String position, Map<String, @Nullable Object> values) {}
}
