package io.millrace.report.store;

import java.time.Instant;

/**
 * A finished report without its content.
 *
 * @param executionId the execution that made the report
 * @param title the title shown to readers
 * @param fileName ends in {@code .pdf}
 * @param size in bytes
 */
public record ReportFile(
    long executionId,
    String sequenceId,
    String report,
    String title,
    String fileName,
    Instant createdAt,
    long size) {}
