package io.millrace.examples.report.page;

import java.time.Instant;
import java.util.List;

/**
 * The subject of a report.
 *
 * @param key short name that no other repository has
 * @param run number of this run, from 1
 * @param collected number of commits that this run collected
 * @param made time at which the report was made
 * @param notes notes for the reader, one sentence each
 */
public record ReportSubject(
    String name, String key, Head head, int run, long collected, Instant made, List<String> notes) {

  /** A branch and its newest commit. */
  public record Head(String branch, String commit) {}
}
