package io.millrace.store.sql;

import io.millrace.store.AttachedWrite;
import java.util.stream.Stream;

/**
 * An attached write and the instance with which it is committed.
 *
 * @param seq the instance's number after its transition; 0 for a start
 * @param state the instance's state after its transition or start
 */
record AttachedRow<W extends AttachedWrite>(long instanceId, int seq, String state, W write) {

  /** Returns the row if its write is of the type. */
  <T extends AttachedWrite> Stream<AttachedRow<T>> as(Class<T> type) {
    return type.isInstance(write)
        ? Stream.of(new AttachedRow<>(instanceId, seq, state, type.cast(write)))
        : Stream.empty();
  }
}
