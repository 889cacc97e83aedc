package io.millrace.server.api;

import io.millrace.instance.InvalidRequestException;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.Param;
import io.millrace.store.SequenceStore.SlotRecordCursor;
import io.millrace.store.SequenceStore.StoredSlotRecord;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The schema SequenceSlotPage.
 *
 * @param next cursor of the next page, null after the last one
 */
record SequenceSlotPage(List<SequenceSlotView> items, @Nullable String next) {

  static final Param<Instant> BEFORE = Param.time("before");

  /**
   * Returns a page of at most {@code limit} slots.
   *
   * @param found the slot records, and one more if there is a next page
   */
  static SequenceSlotPage of(List<StoredSlotRecord> found, int limit) {
    List<StoredSlotRecord> page = found.subList(0, Math.min(found.size(), limit));
    return new SequenceSlotPage(
        page.stream().map(SequenceSlotView::of).toList(),
        found.size() > limit ? cursor(page.getLast()) : null);
  }

  /** Returns the position at which the requested page starts; null for the newest slots. */
  static @Nullable SlotRecordCursor from(ApiRequest request) {
    String cursor = request.find(InstanceResource.CURSOR);
    if (cursor != null) {
      return parse(cursor);
    }
    Instant before = request.find(BEFORE);
    return before == null ? null : SlotRecordCursor.before(before);
  }

  private static String cursor(StoredSlotRecord last) {
    return last.slotRecord().slot() + "_" + last.id();
  }

  private static SlotRecordCursor parse(String cursor) {
    int end = cursor.lastIndexOf('_');
    try {
      return new SlotRecordCursor(
          Instant.parse(cursor.substring(0, Math.max(end, 0))),
          Long.parseLong(cursor.substring(end + 1)));
    } catch (DateTimeException | NumberFormatException e) {
      throw new InvalidRequestException(
          "The cursor '" + cursor + "' is not one that a page of slots has answered with.");
    }
  }
}
