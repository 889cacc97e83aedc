package io.millrace.examples.report.git;

/** Lines added and removed. */
public record LineCounts(long added, long removed) {

  public static final LineCounts NONE = new LineCounts(0, 0);

  public LineCounts plus(LineCounts other) {
    return new LineCounts(added + other.added, removed + other.removed);
  }

  public long total() {
    return added + removed;
  }
}
