package io.millrace.data;

/** The action on the records of a document. */
public enum ReduceAction {
  /** Returns the due records and commits them, whatever happens to them afterwards. */
  REDUCE_COMMIT,
  /** Returns the due records. */
  REDUCE,
  /** Commits the records of the document. */
  COMMIT,
  /**
   * Returns the due records with the members {@code __KeyToken} and {@code __ValueToken}, by which
   * a record can be committed without its original.
   */
  REDUCE_WITH_TOKENS,
  /** Commits the records whose tokens the document has. */
  COMMIT_WITH_TOKENS
}
