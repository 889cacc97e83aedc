package io.millrace.instance;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the items of a query.
 *
 * @param next the cursor for the following page; null if this is the last one
 */
public record Page<T>(List<T> items, @Nullable String next) {
  public Page {
    items = List.copyOf(items);
  }
}
