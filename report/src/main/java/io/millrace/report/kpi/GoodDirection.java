package io.millrace.report.kpi;

/** Direction in which a figure should go. */
public enum GoodDirection {
  UP,
  DOWN,
  /** Neither way is better. */
  NEITHER;

  /** Returns the sentiment of a figure that has gone up or down. */
  Sentiment of(boolean up) {
    return switch (this) {
      case UP -> up ? Sentiment.POSITIVE : Sentiment.NEGATIVE;
      case DOWN -> up ? Sentiment.NEGATIVE : Sentiment.POSITIVE;
      case NEITHER -> Sentiment.NEUTRAL;
    };
  }
}
