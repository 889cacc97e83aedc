package io.millrace.data;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The stored state of a record, which explains why it was skipped.
 *
 * @param keyText its key, if it was kept; otherwise null
 * @param valueHash of the last committed content; null if none was committed
 * @param sourceSeq of the last committed token
 * @param committed time of the last commit; null if there was none
 * @param committedBy the instance that committed it; null for none
 * @param pending the reservation by an instance that works on it; null for none
 */
public record ReduceRecordState(
    String keyHash,
    @Nullable String keyText,
    @Nullable String valueHash,
    long sourceSeq,
    @Nullable Instant committed,
    @Nullable Long committedBy,
    @Nullable Pending pending) {

  /**
   * A reservation that has not expired.
   *
   * @param valueHash of the content that is being processed
   */
  public record Pending(String owner, String valueHash, Instant until) {}
}
