package io.millrace.examples.report.page;

import java.time.Instant;
import java.util.List;

/**
 * What a report is about.
 *
 * @param key tells the repository from others of the same name
 * @param run the number of this run, from 1
 * @param collected commits that this run collected
 * @param made when the report was made
 * @param notes what the reader has to know, one sentence each
 */
public record ReportSubject(
    String name, String key, Head head, int run, long collected, Instant made, List<String> notes) {

  /** A branch and its newest commit. */
  public record Head(String branch, String commit) {}
}
