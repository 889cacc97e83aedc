package io.millrace.store;

import java.util.List;

/**
 * The writes of a transition beside the instance, in the same transaction.
 *
 * @param values written without condition
 * @param commits of reduced records
 */
public record AttachedWrites(List<KeyValueStore.Put> values, List<ReduceStore.Commit> commits) {
  public AttachedWrites {
    values = List.copyOf(values);
    commits = List.copyOf(commits);
  }

  /** Returns true if there is nothing to write. */
  public boolean isEmpty() {
    return values.isEmpty() && commits.isEmpty();
  }
}
