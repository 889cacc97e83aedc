package io.millrace.report.source;

import io.millrace.schedule.DataWindow;
import java.time.Duration;

/**
 * What to ask of a source.
 *
 * @param text in the source's language, where {@code {startTime}} and {@code {endTime}} stand for
 *     the window's begin (inclusive) and end (exclusive); see {@link Placeholders}
 * @param timeout how long the source may take
 * @param maxRows more rows than these are an error, since a report cannot show them
 */
public record Query(String text, DataWindow window, Duration timeout, int maxRows) {

  /** With limits that suit most reports: a minute, and ten thousand rows. */
  public static Query of(String text, DataWindow window) {
    return new Query(text, window, Duration.ofMinutes(1), 10_000);
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
