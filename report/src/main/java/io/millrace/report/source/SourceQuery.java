package io.millrace.report.source;

import io.millrace.schedule.DataWindow;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * A query of a source.
 *
 * @param text in the source's language, where {@code {startTime}} and {@code {endTime}} stand for
 *     the window's start (inclusive) and end (exclusive); see {@link Placeholders}
 * @param timeout how long the source may take
 * @param maxRows the largest number of rows; more rows are an error, since a report cannot show
 *     them
 * @param zone the zone in which days begin
 */
public record SourceQuery(
    String text, DataWindow window, Duration timeout, int maxRows, ZoneId zone) {

  private static final Duration TIMEOUT = Duration.ofMinutes(1);
  private static final int MAX_ROWS = 10_000;

  /** Creates a query whose days begin at midnight UTC. */
  public SourceQuery(String text, DataWindow window, Duration timeout, int maxRows) {
    this(text, window, timeout, maxRows, ZoneOffset.UTC);
  }

  /** Returns a query in UTC with limits that suit most reports: a minute, and ten thousand rows. */
  public static SourceQuery of(String text, DataWindow window) {
    return of(text, window, ZoneOffset.UTC);
  }

  /** Returns a query with limits that suit most reports: a minute, and ten thousand rows. */
  public static SourceQuery of(String text, DataWindow window, ZoneId zone) {
    return new SourceQuery(text, window, TIMEOUT, MAX_ROWS, zone);
  }

  SourceException tooManyRows(String source) {
    return new SourceException(
        "The query of "
            + source
            + " gave more than "
            + maxRows
            + " rows, expected at most that many. Aggregate in the query: "
            + Placeholders.shorten(text));
  }
}
