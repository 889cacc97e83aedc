package io.millrace.report.store;

import java.time.Instant;

/**
 * A finished report.
 *
 * @param title the title shown to readers
 * @param fileName ends in {@code .pdf}
 * @param content a PDF, which must not be changed
 */
@SuppressWarnings("ArrayRecordComponent") // reports are never compared
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
