package io.millrace.store.sql;

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
import java.util.OptionalInt;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store in a SQL database: PostgreSQL 15 or newer, or H2 for one process. It expects the
 * isolation level READ COMMITTED and does not close the data source.
 */
public final class SqlStore implements Store {

  private static final Logger LOG = LoggerFactory.getLogger(SqlStore.class);

  /** A smaller pool has no connection to spare, and one of unknown size may not. */
  private static final int SPARING_POOL = 4;

  /**
   * How a store is opened.
   *
   * @param migrate true to bring the tables up to date, false to fail when they are not
   * @param clock the time in place of the database's own, for tests; null for the database's own
   * @param listen true to tell other processes of new work at once, where the database can; this
   *     holds one connection while someone is subscribed and nobody waits for it
   */
  public record Options(boolean migrate, @Nullable InstantSource clock, boolean listen) {
    /** Migrates, tells the database's time, and listens. */
    public static final Options DEFAULT = new Options(true, null, true);
  }

  private final Dialect dialect;
  private final DefinitionStore definitions;
  private final ExecutorStore executors;
  private final WorkStore work;
  private final OperatorStore operators;
  private final OutboxStore outbox;
  private final QueryStore queries;
  private final RetentionStore retention;
  private final LogStore logs;
  private final AuditStore audit;
  private final ChangeStore changes;
  private final StatisticsStore statistics;
  private final TaskStore tasks;
  private final ScheduleStore schedules;
  private final AlwaysOnStore alwaysOn;
  private final KeyValueStore keyValues;
  private final FireStore fires;
  private final ReduceStore reductions;
  private final Hints hints;
  private final Jdbc jdbc;

  private SqlStore(Jdbc jdbc, Hints hints) {
    this.jdbc = jdbc;
    this.dialect = jdbc.dialect();
    this.definitions = new SqlDefinitions(jdbc);
    this.executors = new SqlExecutors(jdbc);
    this.work = new SqlWork(jdbc);
    this.operators = new SqlOperators(jdbc);
    this.outbox = new SqlOutbox(jdbc);
    this.queries = new SqlQueries(jdbc);
    this.retention = new SqlRetention(jdbc);
    this.logs = new SqlLogs(jdbc);
    this.audit = new SqlAudit(jdbc);
    this.changes = new SqlChanges(jdbc);
    this.statistics = new SqlStatistics(jdbc);
    this.tasks = new SqlTasks(jdbc);
    this.schedules = new SqlSchedules(jdbc);
    this.alwaysOn = new SqlAlwaysOn(jdbc);
    this.keyValues = new SqlKeyValues(jdbc);
    this.fires = new SqlFires(jdbc);
    this.reductions = new SqlReductions(jdbc);
    this.hints = hints;
  }

  /**
   * Opens the store in the database to which {@code dataSource} leads.
   *
   * @throws io.millrace.store.StoreException when the database is not a supported one, cannot be
   *     reached, or lacks the tables
   */
  public static SqlStore open(DataSource dataSource, Options options) {
    Dialect dialect = Dialects.detect(dataSource);
    Jdbc jdbc = new Jdbc(dataSource, dialect, options.clock());
    jdbc.run(
        "open",
        session -> {
          dialect.opened(session);
          return dialect;
        });
    SessionTimeouts timeouts = jdbc.readTimeouts();
    if (timeouts.interfereWith(Limit.SHORT)) {
      LOG.info(
          "Timeouts of the database user are shorter than the engine's statements may take, so the"
              + " engine replaces them in its own transactions, at the cost of additional statements."
              + " Connections of the pool keep them. {}",
          timeouts.text(Limit.SHORT));
    }
    if (options.migrate()) {
      Schema.migrate(dataSource, jdbc);
    }
    Schema.check(jdbc);
    return new SqlStore(
        jdbc, options.listen() ? dialect.hints(dataSource, jdbc.demand()) : Hints.NONE);
  }

  /**
   * The SQL that makes all tables, for those who want to apply it by hand.
   *
   * @param database {@code postgresql} or {@code h2}
   */
  public static String printSchema(String database) {
    return Schema.print(Dialects.named(database).name());
  }

  /**
   * Returns a data source for migrations: it lends the connections of {@code pool}, and on
   * PostgreSQL no timeout of the role or the database applies to them until they are returned.
   */
  public static DataSource withoutTimeouts(DataSource pool) {
    return UntimedConnections.of(pool);
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

  @Override
  public Hints hints() {
    return hints;
  }

  @Override
  public Reserved reserve() {
    if (jdbc.poolSize().orElse(0) < SPARING_POOL) {
      return Store.super.reserve();
    }
    KeptConnection kept = jdbc.keep();
    Jdbc own = jdbc.with(kept.dataSource());
    return new Reserved(new SqlExecutors(own), new SqlWork(own), kept::close);
  }

  @Override
  public OptionalInt poolSize() {
    return jdbc.poolSize();
  }

  @Override
  public boolean interruptible() {
    return dialect.interruptible();
  }

  @Override
  public void close() {
    if (hints instanceof PostgresHints postgres) {
      postgres.close();
    }
  }
}
