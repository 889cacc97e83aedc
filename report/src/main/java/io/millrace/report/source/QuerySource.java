package io.millrace.report.source;

/** Answers queries about a span of time. Implementations are thread-safe. */
@FunctionalInterface
public interface QuerySource {

  /**
   * Runs a query.
   *
   * @throws SourceException when it cannot be answered, with words about what to do
   */
  ResultTable read(SourceQuery sourceQuery);
}
