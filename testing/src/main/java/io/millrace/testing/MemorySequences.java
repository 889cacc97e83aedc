package io.millrace.testing;

import io.millrace.store.ChannelMessage;
import io.millrace.store.OutboxStore;
import io.millrace.store.SequenceStore;
import io.millrace.store.TaskStore;

/** The tables of tasks, task sequences, their slots and the messages of their channels. */
public final class MemorySequences extends MemoryPart {

  private MemorySequences() {}

  public static MemoryPart tables() {
    return new MemorySequences();
  }

  @Override
  void install(MemoryTables tables, MemoryAuditStore audit, MemoryOperatorStore operators) {
    MemoryOutboxStore outbox = new MemoryOutboxStore(tables);
    MemorySequenceTables sequences = new MemorySequenceTables(outbox);
    MemoryHooks hooks = tables.hooks;
    hooks.role(TaskStore.class, new MemoryTaskStore(tables, sequences));
    hooks.role(SequenceStore.class, new MemorySequenceStore(tables, sequences, operators));
    hooks.role(OutboxStore.class, outbox);
    hooks.attached(ChannelMessage.class, outbox::add);
    hooks.reopening(sequences::reopen);
    hooks.keeps(sequences::hasUnrecordedEnd);
  }
}
