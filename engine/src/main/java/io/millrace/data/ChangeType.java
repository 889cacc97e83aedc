package io.millrace.data;

/** The change of a record compared with its last committed state. */
public enum ChangeType {
  /** Its key, or without keys its content, was never committed. */
  NEW,
  /** Its key was committed with another content. */
  CHANGED,
  /** Committed unchanged before. */
  UNCHANGED,
  /** Reserved by another instance that works on its key. */
  RESERVED;

  /** True when there is something to do. */
  public boolean isDue() {
    return this == NEW || this == CHANGED;
  }
}
