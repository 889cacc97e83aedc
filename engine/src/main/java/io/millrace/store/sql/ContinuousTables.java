package io.millrace.store.sql;

import io.millrace.store.ContinuousStore;
import java.util.List;

/**
 * The tables of continuous workflows, their triggers and their logs. A trigger claims periods in
 * the ledger, which is among the tables of data.
 */
final class ContinuousTables {

  static final SqlExtension TABLES =
      new SqlExtension(
          "continuous",
          "V1__continuous.sql",
          List.of(DataTables.TABLES),
          ContinuousTables::register);

  private ContinuousTables() {}

  private static void register(SqlHooks.Builder hooks) {
    hooks
        .role(ContinuousStore.class, SqlContinuousStore::new)
        .executorDied((session, executorId, executor) ->
            TriggerRunWriter.lose(
                session, executorId, executor + " died while it owned this workflow."))
        .executorStopped(TriggerRunWriter::handOver)
        .owns("millrace_continuous_workflow", "name");
  }
}
