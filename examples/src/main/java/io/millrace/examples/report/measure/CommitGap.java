package io.millrace.examples.report.measure;

/** A range of times between two commits. */
public enum CommitGap {
  MINUTE("under 1 min", 60),
  TEN_MINUTES("1–10 min", 600),
  HOUR("10–60 min", 3_600),
  SIX_HOURS("1–6 h", 21_600),
  DAY("6–24 h", 86_400),
  WEEK("1–7 days", 604_800),
  LONGER("over a week", Long.MAX_VALUE);

  private final String words;
  private final long below;

  CommitGap(String words, long below) {
    this.words = words;
    this.below = below;
  }

  /** Returns the range that contains a number of seconds. */
  static CommitGap of(long seconds) {
    for (CommitGap commitGap : values()) {
      if (seconds < commitGap.below) {
        return commitGap;
      }
    }
    return LONGER;
  }

  /** Returns a label for people. */
  public String words() {
    return words;
  }
}
