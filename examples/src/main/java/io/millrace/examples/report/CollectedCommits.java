package io.millrace.examples.report;

import java.util.List;

/**
 * The commits collected so far: the result of a finished run, on which the next run builds.
 *
 * @param head commit up to which all commits are collected
 * @param depth commits at which a shallow clone was cut off; empty for a complete one
 * @param parts locations of the commits, by the runs that collected them
 */
record CollectedCommits(String head, String depth, List<Part> parts) {

  /** The commits that one run collected. */
  record Part(int run, int commits) {

    /** Returns the number of steps that collected them, which is also the number of their files. */
    int steps() {
      return (commits + RepositoryReport.COMMITS_PER_STEP - 1) / RepositoryReport.COMMITS_PER_STEP;
    }
  }

  int commits() {
    return parts.stream().mapToInt(Part::commits).sum();
  }
}
