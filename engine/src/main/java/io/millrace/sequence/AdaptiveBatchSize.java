package io.millrace.sequence;

/**
 * The number of sequences fired in one transaction: halved after each failure, and increased again
 * gradually. Not thread-safe.
 */
final class AdaptiveBatchSize {

  static final int MAX = 500;

  /** Number of successes after which the size is doubled. */
  static final int PATIENCE = 8;

  private int size = MAX;
  private int successes;
  private boolean failing;

  int get() {
    return size;
  }

  /** Records a failure. Returns true for the first one after a success phase. */
  boolean failed() {
    boolean news = !failing;
    failing = true;
    successes = 0;
    size = Math.max(1, size / 2);
    return news;
  }

  /**
   * Records a success. Returns true once, when {@link #PATIENCE} transactions of the full size have
   * succeeded after a failure.
   */
  boolean succeeded() {
    if (!failing) {
      return false;
    }
    successes++;
    if (successes < PATIENCE) {
      return false;
    }
    successes = 0;
    failing = size < MAX;
    size = Math.min(MAX, size * 2);
    return !failing;
  }
}
