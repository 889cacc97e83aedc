package io.millrace.data;

import java.util.List;

/**
 * The result of a comparison.
 *
 * @param changed the records that are new or have changed, in their order
 * @param unchanged how many were passed over since they were committed as they are, or were
 *     followed by another record of the same key
 * @param reserved how many were passed over since others are working on them
 * @param deleted keys that the source no longer has; empty unless the records were all it has
 * @param faults records that could not be compared, none of which is in {@code due}
 */
public record Reduction<T>(
    List<ReducedRecord<T>> changed,
    int unchanged,
    int reserved,
    List<Deleted> deleted,
    List<Fault> faults) {
  public Reduction {
    changed = List.copyOf(changed);
    deleted = List.copyOf(deleted);
    faults = List.copyOf(faults);
  }

  /**
   * A record that the source no longer has.
   *
   * @param ending ends it
   */
  public record Deleted(String key, String keyHash, ReducedRecord.Completion ending) {

    /** Commits the deletion; a record that returns later is new. */
    public void commit() {
      ending.forget(keyHash);
    }
  }

  /**
   * A record that could not be compared.
   *
   * @param index its place among the records, from 0
   */
  public record Fault(int index, String message) {}

  /** Commits all returned records and deletions. */
  public void commit() {
    if (!changed.isEmpty()) {
      changed.getFirst().ending().commit(changed.stream().map(ReducedRecord::token).toList());
    }
    deleted.forEach(Deleted::commit);
  }
}
