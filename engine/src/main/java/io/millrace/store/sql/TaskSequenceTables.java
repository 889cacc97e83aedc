package io.millrace.store.sql;

import io.millrace.store.ChannelMessage;
import io.millrace.store.OutboxStore;
import io.millrace.store.SequenceStore;
import io.millrace.store.TaskStore;
import java.util.List;

/** The tables of tasks, task sequences, their slots and the messages of their channels. */
final class TaskSequenceTables {

  static final SqlExtension TABLES =
      new SqlExtension("sequences", "V1__sequences.sql", List.of(), TaskSequenceTables::register);

  private TaskSequenceTables() {}

  private static void register(SqlHooks.Builder hooks) {
    hooks
        .role(TaskStore.class, SqlTaskStore::new)
        .role(SequenceStore.class, SqlSequenceStore::new)
        .role(OutboxStore.class, SqlOutboxStore::new)
        .attached(ChannelMessage.class, OutboxWriter::write)
        .reopening(ExecutionEndWriter::lock, ExecutionEndWriter::reopen)
        .keeps(ExecutionEndWriter.END_RECORDED)
        .check("schedules", ScheduleDoctor::examine);
  }
}
