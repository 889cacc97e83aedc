package io.millrace.data;

import org.jspecify.annotations.Nullable;

/** The result of writing or deleting a value. */
public sealed interface KeyWriteResult {

  /**
   * The value was written, now or by an earlier try whose reply was lost.
   *
   * @param version of the value, or of the one that was deleted
   */
  record Written(long version) implements KeyWriteResult {}

  /**
   * The condition did not hold, so nothing was written.
   *
   * @param current the present value; null for none
   */
  record Refused(@Nullable KeyValue current) implements KeyWriteResult {}

  /** The requesting instance has passed to another executor; nothing was written. */
  record Fenced() implements KeyWriteResult {}

  /** Returns true if the write succeeded. */
  default boolean isWritten() {
    return this instanceof Written;
  }
}
