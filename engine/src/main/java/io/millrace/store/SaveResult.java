package io.millrace.store;

/** The result of a save. */
public sealed interface SaveResult {

  /**
   * The transition is in the history, by this write or by an earlier one whose reply was lost.
   *
   * @param inboxCount number of unconsumed messages now
   * @param held true if the writer still holds the lease
   */
  record Saved(int inboxCount, boolean held) implements SaveResult {}

  /** The lease has passed on; nothing was written and nothing may follow. */
  record Fenced() implements SaveResult {}
}
