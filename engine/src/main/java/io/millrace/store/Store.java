package io.millrace.store;

import java.util.OptionalInt;

/**
 * A database seen by the engine. Thread-safe. Every method of every role throws {@link
 * StoreException}, which tells whether trying again may help; when it does, the effect may or may
 * not have happened.
 */
public interface Store extends AutoCloseable {

  DefinitionStore definitions();

  ExecutorStore executors();

  InstanceStore instances();

  OperatorStore operators();

  OutboxStore outbox();

  QueryStore queries();

  RetentionStore retention();

  LogStore logs();

  AuditStore audit();

  ChangeStore changes();

  StatisticsStore statistics();

  TaskStore tasks();

  SequenceStore sequences();

  ContinuousStore continuous();

  KeyValueStore keyValues();

  PeriodLedgerStore periodLedger();

  ReduceStore reductions();

  HintChannel hints();

  /** Access to the store for a user who must not wait for others, such as the heartbeat. */
  default ReservedAccess reserve() {
    return new ReservedAccess(executors(), instances(), () -> {});
  }

  /**
   * Access that does not wait for others.
   *
   * @param release to be called when it is no longer needed
   */
  record ReservedAccess(ExecutorStore executors, InstanceStore work, Runnable release) {}

  /** Returns the size of the connection pool; empty if it is not known or there is no pool. */
  default OptionalInt poolSize() {
    return OptionalInt.empty();
  }

  /**
   * Asks the database whether it takes writes.
   *
   * @throws StoreException when it does not answer, or can only be read
   */
  default void checkWritable() {
    queries().now();
  }

  /** False when an interrupt inside the database's code would harm it, as with embedded H2. */
  boolean interruptible();

  @Override
  void close();
}
