package io.millrace.examples.report.git;

import java.util.Map;

/**
 * The facts about a commit that the report needs.
 *
 * @param time time of authoring, in seconds since 1970
 * @param offset offset of the author's time zone from UTC, in minutes
 * @param churn changed lines by top folder; empty for all but normal commits
 * @param uncounted number of changed files whose lines could not be counted
 */
public record CommitFacts(
    String id,
    long time,
    int offset,
    Author author,
    Kind kind,
    Map<String, LineCounts> churn,
    int uncounted) {

  /** Folder name for files in no folder. */
  public static final String TOP = ".";

  /**
   * The author of a commit.
   *
   * @param email address in lower case, which identifies the author
   */
  public record Author(String name, String email) {}

  /** The relation of a commit to its parents. */
  public enum Kind {
    NORMAL,
    /** A commit with several parents; its lines are counted in the commits that wrote them. */
    MERGE,
    /** A commit whose parents are missing in a shallow clone, so its changes are unknown. */
    CUT
  }
}
