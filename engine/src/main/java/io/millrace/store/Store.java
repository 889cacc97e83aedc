package io.millrace.store;

import java.util.OptionalInt;

/**
 * A database as the engine sees it. Thread-safe. Every method of every role throws {@link
 * StoreException}, which says whether a retry may help. If so, the effect may or may not have
 * happened.
 */
public interface Store extends AutoCloseable {

  DefinitionStore definitions();

  ExecutorStore executors();

  InstanceStore instances();

  OperatorStore operators();

  QueryStore queries();

  RetentionStore retention();

  LogStore logs();

  AuditStore audit();

  ChangeStore changes();

  StatisticsStore statistics();

  HintChannel hints();

  /**
   * Returns the part of the store that a feature has for itself.
   *
   * @param type the interface of the part
   * @throws IllegalStateException if the store was opened without the tables of the feature
   */
  <R> R role(Class<R> type);

  /**
   * Returns access to the store for a user that must not wait for others, such as the heartbeat.
   */
  default ReservedAccess reserve() {
    return new ReservedAccess(executors(), instances(), () -> {});
  }

  /**
   * Access that does not wait for others.
   *
   * @param release to be called when it is no longer needed
   */
  record ReservedAccess(ExecutorStore executors, InstanceStore instances, Runnable release) {}

  /**
   * Returns access to the store for calls that take part in the transactions of their callers. A
   * store that is not based on JDBC takes part in none.
   */
  default JoinedAccess joining(CallerTransactions transactions) {
    return new JoinedAccess(instances(), operators(), queries());
  }

  /** Access in the transaction of each caller that has one. Only single instances are read so. */
  record JoinedAccess(InstanceStore instances, OperatorStore operators, QueryStore queries) {}

  /** Returns the size of the connection pool; empty if it is not known or there is no pool. */
  default OptionalInt poolSize() {
    return OptionalInt.empty();
  }

  /**
   * Checks that the database accepts writes.
   *
   * @throws StoreException if it does not answer, or is read-only
   */
  default void checkWritable() {
    queries().now();
  }

  /**
   * Returns false if an interrupt inside the database's code would harm it, as with embedded H2.
   */
  boolean interruptible();

  @Override
  void close();
}
