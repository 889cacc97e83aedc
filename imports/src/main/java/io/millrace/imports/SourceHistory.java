package io.millrace.imports;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Amount of execution history that the source has.
 *
 * @param rows the number of rows, one for each run of a task
 * @param first when the oldest run started; null for none
 * @param last when the newest run started; null for none
 */
record SourceHistory(long rows, long executions, @Nullable Instant first, @Nullable Instant last) {

  static final SourceHistory NONE = new SourceHistory(0, 0, null, null);
}
