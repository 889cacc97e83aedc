package io.millrace.store.sql;

import io.millrace.store.ContinuousStore;

/** The tables of continuous workflows, their triggers and their events. */
final class ContinuousTables {

  static final SqlExtension TABLES =
      new SqlExtension("continuous", "V1__continuous.sql", ContinuousTables::register);

  private ContinuousTables() {}

  private static void register(SqlHooks.Builder hooks) {
    hooks
        .role(ContinuousStore.class, SqlContinuousStore::new)
        .executorDied((session, executorId, executor) ->
            TriggerRunWriter.lose(
                session, executorId, executor + " died while it owned this workflow."))
        .executorStopped(TriggerRunWriter::handOver)
        .owns("millrace_continuous_workflow", "name")
        .removal(ContinuousRemover.CONTINUOUS);
  }
}
