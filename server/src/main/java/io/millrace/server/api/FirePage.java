package io.millrace.server.api;

import io.millrace.instance.InvalidRequestException;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.Param;
import io.millrace.store.SequenceStore.Fire;
import io.millrace.store.SequenceStore.FireCursor;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The schema FirePage.
 *
 * @param next cursor of the next page, null after the last one
 */
record FirePage(List<FireView> items, @Nullable String next) {

  static final Param<Instant> BEFORE = Param.time("before");

  /**
   * Returns a page of at most {@code limit} fires.
   *
   * @param found the fires, and one more if there is a next page
   */
  static FirePage of(List<Fire> found, int limit) {
    List<Fire> page = found.subList(0, Math.min(found.size(), limit));
    return new FirePage(
        page.stream().map(FireView::of).toList(),
        found.size() > limit ? cursor(page.getLast()) : null);
  }

  /** Returns the position at which the requested page starts; null for the newest fires. */
  static @Nullable FireCursor from(ApiRequest request) {
    String cursor = request.find(InstanceResource.CURSOR);
    if (cursor != null) {
      return parse(cursor);
    }
    Instant before = request.find(BEFORE);
    return before == null ? null : FireCursor.before(before);
  }

  private static String cursor(Fire last) {
    return last.slotRecord().slot() + "_" + last.id();
  }

  private static FireCursor parse(String cursor) {
    int end = cursor.lastIndexOf('_');
    try {
      return new FireCursor(
          Instant.parse(cursor.substring(0, Math.max(end, 0))),
          Long.parseLong(cursor.substring(end + 1)));
    } catch (DateTimeException | NumberFormatException e) {
      throw new InvalidRequestException(
          "The cursor '" + cursor + "' is not one that a page of fires has answered with.");
    }
  }
}
