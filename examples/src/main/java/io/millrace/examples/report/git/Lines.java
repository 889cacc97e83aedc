package io.millrace.examples.report.git;

/** Lines added and removed. */
public record Lines(long added, long removed) {

  public static final Lines NONE = new Lines(0, 0);

  public Lines plus(Lines other) {
    return new Lines(added + other.added, removed + other.removed);
  }

  public long total() {
    return added + removed;
  }
}
