package io.millrace.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A journal of changes on all nodes, from which each node feeds its watchers. Changes become
 * visible in the order of their ids, and ids have no gaps: a reader that has seen one could read
 * all before it. Writers wait for each other for the time of a commit, so a node should write its
 * events in one change a few times a second, not one by one.
 */
public interface ChangeStore {

  /**
   * Adds a change.
   *
   * @param node the node that writes it, at most 100 characters
   * @param payload any text
   * @return its id, one more than that of the change before it
   */
  long append(String node, String payload);

  /**
   * Returns changes with a greater id, oldest first, at most {@code limit}. If the first of them is
   * not the next one, those between have been pruned.
   */
  List<Change> after(long id, int limit);

  /** Returns the id of the newest change, pruned or not; 0 before the first one. */
  long newest();

  /**
   * Deletes changes older than {@code age}, the oldest first, at most {@code limit}.
   *
   * @return number of deleted changes; call again until it is less than {@code limit}
   */
  int prune(Duration age, int limit);

  /** An entry of the journal. */
  record Change(long id, Instant at, String node, String payload) {}
}
