package io.millrace.sequence;

/**
 * The number of sequences fired in one transaction: halved after each failure, and increased again
 * step by step. Not thread-safe.
 */
final class AdaptiveBatchSize {

  static final int MAX = 500;

  /** Successes after which it is doubled. */
  static final int PATIENCE = 8;

  private int size = MAX;
  private int successes;
  private boolean failing;

  int get() {
    return size;
  }

  /** True when this is news, and not one more failure before all was well. */
  boolean failed() {
    boolean news = !failing;
    failing = true;
    successes = 0;
    size = Math.max(1, size / 2);
    return news;
  }

  /** True when all is well for the first time after a failure. */
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
