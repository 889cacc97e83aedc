package io.millrace.data;

/** The action on the records of a document. */
public enum ReduceAction {
  /** Pass on what is due, and commit it. What happens to it afterwards has no influence. */
  REDUCE_COMMIT,
  /** Pass on what is due. */
  REDUCE,
  /** Commit the records of the document. */
  COMMIT,
  /**
   * Pass on what is due, with the members {@code __KeyToken} and {@code __ValueToken}, by which it
   * can be committed without its original.
   */
  REDUCE_WITH_TOKENS,
  /** Commit the records whose tokens the document has. */
  COMMIT_WITH_TOKENS
}
