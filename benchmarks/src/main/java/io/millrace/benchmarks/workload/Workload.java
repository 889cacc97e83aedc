package io.millrace.benchmarks.workload;

import io.millrace.benchmarks.peer.PeerKind;
import io.millrace.benchmarks.report.Column;
import java.util.List;
import java.util.Map;

/** Something to measure. */
public interface Workload {
  /** As it is called on the command line, such as {@code W1}. */
  String id();

  /** What is done, in one line; the heading of the table. */
  String title(BenchmarkContext benchmarkContext);

  /** The columns of the table; the first one also gets a ratio between the engines. */
  List<Column> columns();

  /** Whether this engine can be measured by it. */
  default boolean includes(PeerKind peer) {
    return !peer.isOverRedis();
  }

  /** The rows that each engine has in the table: what is varied, or one row without a name. */
  default List<String> cases(BenchmarkContext benchmarkContext) {
    return List.of("");
  }

  /** Measures once; answers with the figures that the columns name. */
  Map<String, Double> run(BenchmarkContext benchmarkContext, PeerKind peer, String oneCase)
      throws Exception;
}
