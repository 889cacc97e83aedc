package io.millrace.examples.report;

import java.util.List;

/**
 * What has been collected of a repository so far: the result of a finished run, on which the next
 * one builds.
 *
 * @param head the commit up to which all are collected
 * @param depth the commits at which a shallow clone was cut off; empty for a complete one
 * @param parts where the commits are, by the runs that collected them
 */
record CollectedCommits(String head, String depth, List<Part> parts) {

  /** The commits that one run collected. */
  record Part(int run, int commits) {

    /** How many steps it took to collect them, which is also the number of files they are in. */
    int steps() {
      return (commits + RepositoryReport.COMMITS_PER_STEP - 1) / RepositoryReport.COMMITS_PER_STEP;
    }
  }

  int commits() {
    return parts.stream().mapToInt(Part::commits).sum();
  }
}
