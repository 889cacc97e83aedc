package io.millrace.instance;

/**
 * Counts of an instance's children.
 *
 * @param total started ever
 * @param open not ended yet
 * @param failed ended as failed or cancelled
 */
public record ChildCounts(int total, int open, int failed) {
  public static final ChildCounts NONE = new ChildCounts(0, 0, 0);
}
