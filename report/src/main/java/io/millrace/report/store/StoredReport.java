package io.millrace.report.store;

import java.time.Instant;

/**
 * A finished report.
 *
 * @param title as people read it
 * @param fileName ends in {@code .pdf}
 * @param content a PDF; not to be changed
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares reports
public record StoredReport(
    long executionId,
    String sequenceId,
    String report,
    String title,
    String fileName,
    Instant createdAt,
    byte[] content) {

  @Override
  public String toString() {
    return fileName + " of execution " + executionId + ", " + content.length + " bytes";
  }
}
