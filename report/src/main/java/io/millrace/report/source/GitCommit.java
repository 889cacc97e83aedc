package io.millrace.report.source;

import java.time.Instant;
import java.util.Map;

/**
 * A commit that is not a merge.
 *
 * @param files the changed lines of each file
 */
record GitCommit(String id, String author, Instant time, String subject, Map<String, Lines> files) {

  /** Numbers of lines of text; binary files have none. */
  record Lines(long added, long removed) {

    static final Lines NONE = new Lines(0, 0);

    Lines plus(Lines other) {
      return new Lines(added + other.added, removed + other.removed);
    }

    long total() {
      return added + removed;
    }
  }

  Lines lines() {
    return files.values().stream().reduce(Lines.NONE, Lines::plus);
  }
}
