package io.millrace.examples.report;

import io.millrace.examples.report.CollectedCommits.Part;
import java.util.ArrayList;
import java.util.List;

/**
 * The plan of a run, fixed at its start.
 *
 * @param head commit up to which it collects
 * @param total number of commits to collect
 * @param kept commits of earlier runs that need not be collected again
 * @param notes notes for the reader of the report
 */
record CollectionPlan(
    String name,
    String branch,
    String head,
    String depth,
    int total,
    List<Part> kept,
    List<String> notes) {

  /** Returns the collected commits after run {@code run} has carried out the plan. */
  CollectedCommits outcome(int run) {
    List<Part> parts = new ArrayList<>(kept);
    if (total > 0) {
      parts.add(new Part(run, total));
    }
    return new CollectedCommits(head, depth, parts);
  }
}
