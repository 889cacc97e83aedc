package io.millrace.testing;

import io.millrace.store.AuditStore;
import io.millrace.store.ChangeStore;
import io.millrace.store.DefinitionStore;
import io.millrace.store.ExecutorStore;
import io.millrace.store.HintChannel;
import io.millrace.store.InstanceStore;
import io.millrace.store.LogStore;
import io.millrace.store.OperatorStore;
import io.millrace.store.QueryStore;
import io.millrace.store.RetentionStore;
import io.millrace.store.StatisticsStore;
import io.millrace.store.Store;
import java.time.InstantSource;
import java.util.List;

/**
 * A store that keeps everything in memory and forgets it with the process. It passes the same
 * contract as the SQL stores, takes its time from the given clock, and behaves the same for the
 * same calls in the same order. One lock makes every call a transaction. Thread-safe.
 */
public final class MemoryStore implements Store {

  private final DefinitionStore definitions;
  private final ExecutorStore executors;
  private final InstanceStore instances;
  private final OperatorStore operators;
  private final QueryStore queries;
  private final RetentionStore retention;
  private final LogStore logs;
  private final MemoryAuditStore audit;
  private final ChangeStore changes;
  private final StatisticsStore statistics;
  private final MemoryHooks hooks;

  /**
   * Creates an empty store with the tables of all features.
   *
   * @param clock stands for the database's time
   */
  public MemoryStore(InstantSource clock) {
    this(clock, List.of(MemoryData.tables(), MemorySequences.tables(), MemoryContinuous.tables()));
  }

  private MemoryStore(InstantSource clock, List<MemoryPart> parts) {
    MemoryTables tables = new MemoryTables(clock);
    this.definitions = new MemoryDefinitionStore(tables);
    this.instances = new MemoryInstanceStore(tables);
    this.audit = new MemoryAuditStore(tables);
    this.executors = new MemoryExecutorStore(tables, audit);
    this.changes = new MemoryChangeStore(tables);
    this.statistics = new MemoryStatisticsStore(tables);
    MemoryOperatorStore actions = new MemoryOperatorStore(tables, audit);
    this.operators = actions;
    this.queries = new MemoryQueryStore(tables);
    this.retention = new MemoryRetentionStore(tables, audit);
    this.logs = new MemoryLogStore(tables);
    this.hooks = tables.hooks;
    parts.forEach(part -> part.install(tables, audit, actions));
  }

  /**
   * Creates an empty store with the tables of the core and some features.
   *
   * @param clock stands for the database's time
   * @param parts the features, each after those that it needs; none for the core alone
   */
  public static MemoryStore with(InstantSource clock, MemoryPart... parts) {
    return new MemoryStore(clock, List.of(parts));
  }

  @Override
  public DefinitionStore definitions() {
    return definitions;
  }

  @Override
  public ExecutorStore executors() {
    return executors;
  }

  @Override
  public InstanceStore instances() {
    return instances;
  }

  @Override
  public OperatorStore operators() {
    return operators;
  }

  @Override
  public QueryStore queries() {
    return queries;
  }

  @Override
  public RetentionStore retention() {
    return retention;
  }

  @Override
  public LogStore logs() {
    return logs;
  }

  @Override
  public AuditStore audit() {
    return audit;
  }

  @Override
  public ChangeStore changes() {
    return changes;
  }

  @Override
  public StatisticsStore statistics() {
    return statistics;
  }

  @Override
  public <R> R role(Class<R> type) {
    return hooks.get(type);
  }

  /** Returns a channel without hints, since no other process can see this store. */
  @Override
  public HintChannel hints() {
    return HintChannel.NONE;
  }

  @Override
  public boolean interruptible() {
    return true;
  }

  /** Does nothing; the contents stay readable. */
  @Override
  public void close() {}
}
