package io.millrace.testing;

import io.millrace.store.AlwaysOnStore;
import io.millrace.store.AuditStore;
import io.millrace.store.ChangeStore;
import io.millrace.store.DefinitionStore;
import io.millrace.store.ExecutorStore;
import io.millrace.store.FireStore;
import io.millrace.store.Hints;
import io.millrace.store.KeyValueStore;
import io.millrace.store.LogStore;
import io.millrace.store.OperatorStore;
import io.millrace.store.OutboxStore;
import io.millrace.store.QueryStore;
import io.millrace.store.ReduceStore;
import io.millrace.store.RetentionStore;
import io.millrace.store.ScheduleStore;
import io.millrace.store.StatisticsStore;
import io.millrace.store.Store;
import io.millrace.store.TaskStore;
import io.millrace.store.WorkStore;
import java.time.InstantSource;

/**
 * A store that keeps everything in memory and forgets it with the process. It passes the same
 * contract as the SQL stores, takes its time from the given clock, and behaves the same for the
 * same calls in the same order. One lock makes every call a transaction. Thread-safe.
 */
public final class MemoryStore implements Store {

  private final DefinitionStore definitions;
  private final ExecutorStore executors;
  private final WorkStore work;
  private final OperatorStore operators;
  private final OutboxStore outbox;
  private final QueryStore queries;
  private final RetentionStore retention;
  private final LogStore logs;
  private final MemoryAudit audit;
  private final ChangeStore changes;
  private final StatisticsStore statistics;
  private final TaskStore tasks;
  private final ScheduleStore schedules;
  private final AlwaysOnStore alwaysOn;
  private final KeyValueStore keyValues;
  private final FireStore fires;
  private final ReduceStore reductions;

  /** An empty store on {@code clock}, which stands for the database's time. */
  public MemoryStore(InstantSource clock) {
    MemoryTables tables = new MemoryTables(clock);
    this.definitions = new MemoryDefinitions(tables);
    this.work = new MemoryWork(tables);
    this.audit = new MemoryAudit(tables);
    this.executors = new MemoryExecutors(tables, audit);
    this.changes = new MemoryChanges(tables);
    this.statistics = new MemoryStatistics(tables);
    MemoryOperators deeds = new MemoryOperators(tables, audit);
    this.operators = deeds;
    this.tasks = new MemoryTasks(tables);
    this.schedules = new MemorySchedules(tables, deeds);
    MemoryFires ledger = new MemoryFires(tables);
    this.fires = ledger;
    this.alwaysOn = new MemoryAlwaysOn(tables, audit, ledger);
    this.outbox = tables.outbox;
    this.queries = new MemoryQueries(tables);
    this.retention = new MemoryRetention(tables, audit);
    this.logs = new MemoryLogs(tables);
    this.keyValues = tables.keyValues;
    this.reductions = tables.reductions;
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
  public WorkStore work() {
    return work;
  }

  @Override
  public OperatorStore operators() {
    return operators;
  }

  @Override
  public OutboxStore outbox() {
    return outbox;
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
  public TaskStore tasks() {
    return tasks;
  }

  @Override
  public ScheduleStore schedules() {
    return schedules;
  }

  @Override
  public AlwaysOnStore alwaysOn() {
    return alwaysOn;
  }

  @Override
  public KeyValueStore keyValues() {
    return keyValues;
  }

  @Override
  public FireStore fires() {
    return fires;
  }

  @Override
  public ReduceStore reductions() {
    return reductions;
  }

  /** No other process can see this store. */
  @Override
  public Hints hints() {
    return Hints.NONE;
  }

  @Override
  public boolean interruptible() {
    return true;
  }

  /** Does nothing; the contents stay readable. */
  @Override
  public void close() {}
}
