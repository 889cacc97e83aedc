package io.millrace.testing;

/** The tables of a feature in a {@link MemoryStore}. */
public abstract class MemoryPart {

  MemoryPart() {}

  /** Creates the tables in a store, and registers their roles and hooks. */
  abstract void install(MemoryTables tables, MemoryAuditStore audit, MemoryOperatorStore operators);
}
