package io.millrace.store;

import java.util.List;

/**
 * What a transition writes beside the instance, in its transaction: both happen, or neither.
 *
 * @param values written without condition
 * @param commits of reduced records
 */
public record AttachedWrites(List<KeyValueStore.Put> values, List<ReduceStore.Commit> commits) {
  public AttachedWrites {
    values = List.copyOf(values);
    commits = List.copyOf(commits);
  }

  /** True when there is nothing to write. */
  public boolean isEmpty() {
    return values.isEmpty() && commits.isEmpty();
  }
}
