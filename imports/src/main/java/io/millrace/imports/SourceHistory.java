package io.millrace.imports;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How much execution history the source has.
 *
 * @param rows one for each run of a task
 * @param first when the oldest began; null for none
 * @param last when the newest began; null for none
 */
record SourceHistory(long rows, long executions, @Nullable Instant first, @Nullable Instant last) {

  static final SourceHistory NONE = new SourceHistory(0, 0, null, null);
}
