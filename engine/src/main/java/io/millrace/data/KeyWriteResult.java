package io.millrace.data;

import org.jspecify.annotations.Nullable;

/** The result of writing or deleting a value. */
public sealed interface KeyWriteResult {

  /**
   * Written, now or by an earlier try whose reply was lost.
   *
   * @param version of the value, or of the one that was deleted
   */
  record Written(long version) implements KeyWriteResult {}

  /**
   * The condition did not hold, so nothing was written.
   *
   * @param current what is there; null for nothing
   */
  record Refused(@Nullable KeyValue current) implements KeyWriteResult {}

  /** The instance that wanted it has passed on to another executor; nothing was written. */
  record Fenced() implements KeyWriteResult {}

  /** True when it is done. */
  default boolean isWritten() {
    return this instanceof Written;
  }
}
