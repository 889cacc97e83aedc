package io.millrace.report.store;

import io.millrace.report.kpi.KpiResult;
import io.millrace.schedule.DataWindow;
import java.util.List;

/**
 * Keeps the results of KPIs. Results are replaced when an execution repeats a KPI, never doubled.
 * Implementations are thread-safe.
 */
public interface ResultStore {

  /**
   * Whose result it is.
   *
   * @param report the name of the report
   */
  record Key(long executionId, String report, DataWindow window) {}

  /** Makes what the store needs, if it is not there; may be called often. */
  default void prepare() {}

  /** Keeps a result in place of an earlier one with the same execution and KPI. */
  void put(Key key, KpiResult result);

  /** The results of an execution, in no particular order. */
  List<KpiResult> find(long executionId);
}
