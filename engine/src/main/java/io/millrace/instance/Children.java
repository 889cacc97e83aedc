package io.millrace.instance;

/**
 * Counts of an instance's children.
 *
 * @param total started ever
 * @param open not ended yet
 * @param failed ended as failed or cancelled
 */
public record Children(int total, int open, int failed) {
  public static final Children NONE = new Children(0, 0, 0);
}
