package io.millrace.examples.report.git;

import java.util.Map;

/**
 * What the report needs to know of a commit.
 *
 * @param time when it was authored, in seconds since 1970
 * @param offset minutes of the author's time zone ahead of UTC
 * @param churn lines by top folder; empty for all but normal commits
 * @param uncounted changed files whose lines could not be counted
 */
public record CommitFacts(
    String id,
    long time,
    int offset,
    Author author,
    Kind kind,
    Map<String, LineCounts> churn,
    int uncounted) {

  /** The folder of files that lie in none. */
  public static final String TOP = ".";

  /**
   * Who wrote a commit.
   *
   * @param email in lower case; tells authors apart
   */
  public record Author(String name, String email) {}

  /** How a commit relates to its parents. */
  public enum Kind {
    NORMAL,
    /** Has several parents; its lines were counted where they were written. */
    MERGE,
    /** Its parents are missing in a shallow clone, so nobody knows what it changed. */
    CUT
  }
}
