package io.millrace.examples.report;

import io.millrace.examples.report.CollectedCommits.Part;
import java.util.ArrayList;
import java.util.List;

/**
 * What a run is going to do, fixed at its beginning.
 *
 * @param head the commit up to which it collects
 * @param total commits to collect
 * @param kept commits of earlier runs that need not be collected again
 * @param notes what the reader of the report has to know
 */
record CollectionPlan(
    String name,
    String branch,
    String head,
    String depth,
    int total,
    List<Part> kept,
    List<String> notes) {

  /** What is collected when run {@code run} has carried the plan out. */
  CollectedCommits outcome(int run) {
    List<Part> parts = new ArrayList<>(kept);
    if (total > 0) {
      parts.add(new Part(run, total));
    }
    return new CollectedCommits(head, depth, parts);
  }
}
