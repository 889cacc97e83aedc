package io.millrace.report;

import io.millrace.report.kpi.KpiResult;
import io.millrace.report.store.JdbcResultStore;
import io.millrace.report.store.ResultStore;
import java.util.List;
import javax.sql.DataSource;

/** A store that uses the first database of a list, or the given one while the list is empty. */
record SwitchableResultStore(List<DataSource> first, DataSource otherwise) implements ResultStore {

  private ResultStore store() {
    DataSource database = first.isEmpty() ? otherwise : first.getFirst();
    return new JdbcResultStore(database);
  }

  @Override
  public void prepare() {
    store().prepare();
  }

  @Override
  public void put(Key key, KpiResult result) {
    store().put(key, result);
  }

  @Override
  public List<KpiResult> find(long executionId) {
    return store().find(executionId);
  }
}
