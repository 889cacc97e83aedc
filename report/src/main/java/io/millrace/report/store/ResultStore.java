package io.millrace.report.store;

import io.millrace.report.kpi.KpiResult;
import io.millrace.schedule.DataWindow;
import java.util.List;

/**
 * Store of the results of KPIs. Results are replaced when an execution repeats a KPI, never
 * duplicated. Implementations are thread-safe.
 */
public interface ResultStore {

  /**
   * Key of a result.
   *
   * @param report the name of the report
   */
  record Key(long executionId, String report, DataWindow window) {}

  /** Creates what the store needs, unless it exists; may be called often. */
  default void prepare() {}

  /** Stores a result in place of an earlier one with the same execution and KPI. */
  void put(Key key, KpiResult result);

  /** Returns the results of an execution, in no particular order. */
  List<KpiResult> find(long executionId);
}
