package io.millrace.report.source;

/** A source that answers queries about a span of time. Implementations are thread-safe. */
@FunctionalInterface
public interface QuerySource {

  /**
   * Runs a query.
   *
   * @throws SourceException when it cannot be answered; the message says what to do
   */
  ResultTable read(SourceQuery query);
}
