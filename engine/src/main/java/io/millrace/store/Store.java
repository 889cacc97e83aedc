package io.millrace.store;

/**
 * A database seen by the engine. Thread-safe. Every method of every role throws {@link
 * StoreException}, which tells whether trying again may help; when it does, the effect may or may
 * not have happened.
 */
public interface Store extends AutoCloseable {

  DefinitionStore definitions();

  ExecutorStore executors();

  WorkStore work();

  OperatorStore operators();

  OutboxStore outbox();

  QueryStore queries();

  RetentionStore retention();

  LogStore logs();

  AuditStore audit();

  ChangeStore changes();

  StatisticsStore statistics();

  TaskStore tasks();

  ScheduleStore schedules();

  AlwaysOnStore alwaysOn();

  KeyValueStore keyValues();

  FireStore fires();

  ReduceStore reductions();

  Hints hints();

  /** False when an interrupt inside the database's code would harm it, as with embedded H2. */
  boolean interruptible();

  @Override
  void close();
}
