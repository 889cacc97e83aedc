package io.millrace.data;

import java.util.List;

/**
 * The result of a comparison.
 *
 * @param changed the records that are new or have changed, in their order
 * @param unchanged number of records that were skipped because they were committed with the same
 *     content, or because another record of the same key follows
 * @param reserved number of records that were skipped because others work on them
 * @param deleted keys that the source no longer has; empty unless the records were all it has
 * @param faults records that could not be compared, none of which is in {@code changed}
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
   * @param ending commits or releases it
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
