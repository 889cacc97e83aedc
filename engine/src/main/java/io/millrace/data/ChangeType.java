package io.millrace.data;

/** What a record is, compared with what was seen and committed before. */
public enum ChangeType {
  /** Its key, or without keys its content, was never committed. */
  NEW,
  /** Its key was committed with another content. */
  CHANGED,
  /** It was committed as it is. */
  UNCHANGED,
  /** Somebody else is working on its key, and has it reserved. */
  RESERVED;

  /** True when there is something to do. */
  public boolean isDue() {
    return this == NEW || this == CHANGED;
  }
}
