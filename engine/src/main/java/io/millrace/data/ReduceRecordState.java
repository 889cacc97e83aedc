package io.millrace.data;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The stored state of a record, which explains why it was skipped.
 *
 * @param keyText its key, where it was kept; null otherwise
 * @param valueHash of what was committed last; null when it never was
 * @param sourceSeq of the token that was committed last
 * @param committed when; null when it never was
 * @param committedBy the instance that committed it; null for none
 * @param pending who is working on it; null for nobody
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
   * A reservation that is not over.
   *
   * @param valueHash of the content that is being worked on
   */
  public record Pending(String owner, String valueHash, Instant until) {}
}
