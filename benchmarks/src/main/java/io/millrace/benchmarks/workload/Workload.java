package io.millrace.benchmarks.workload;

import io.millrace.benchmarks.peer.PeerKind;
import io.millrace.benchmarks.report.Column;
import java.util.List;
import java.util.Map;

/** A measurement of one or more engines. */
public interface Workload {
  /** Returns the name on the command line, such as {@code W1}. */
  String id();

  /** Returns a description in one line, which is the heading of the table. */
  String title(BenchmarkContext context);

  /** Returns the columns of the table; the first one also gets a ratio between the engines. */
  List<Column> columns();

  /** True if the workload can measure this engine. */
  default boolean includes(PeerKind peer) {
    return !peer.isOverRedis();
  }

  /**
   * Returns the rows of each engine in the table: the values that vary, or one row without a name.
   */
  default List<String> cases(BenchmarkContext context) {
    return List.of("");
  }

  /** Measures once and returns the figures that the columns name. */
  Map<String, Double> run(BenchmarkContext context, PeerKind peer, String oneCase) throws Exception;
}
