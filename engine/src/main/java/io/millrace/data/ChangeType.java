package io.millrace.data;

/** The change of a record compared with its last committed state. */
public enum ChangeType {
  /** A record whose key (or content, without keys) was never committed. */
  NEW,
  /** A record whose key was committed with another content. */
  CHANGED,
  /** A record that was committed with the same content. */
  UNCHANGED,
  /** A record whose key another instance has reserved and works on. */
  RESERVED;

  /** Returns true if the record must be processed. */
  public boolean isDue() {
    return this == NEW || this == CHANGED;
  }
}
