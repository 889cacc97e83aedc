package io.millrace.store.sql;

import io.millrace.store.AuditStore;
import io.millrace.store.CallerTransactions;
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
import java.util.Collection;
import java.util.List;
import java.util.Map;
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

  /** Minimum size of a pool with a connection to spare. A pool of unknown size may be smaller. */
  private static final int SPARING_POOL = 4;

  /**
   * Options of opening a store.
   *
   * @param schema how the tables are treated
   * @param clock the time in place of the database's own, for tests; null for the database's own
   * @param listen true to notify other processes of new work at once, where the database can; this
   *     holds one connection while there is a subscription and no other user waits for it
   */
  public record Options(SchemaMode schema, @Nullable InstantSource clock, boolean listen) {
    /** Options that create the tables, use the database's time, and listen. */
    public static final Options DEFAULT = new Options(SchemaMode.CREATE, null, true);

    /** Returns these options with another treatment of the tables. */
    public Options schema(SchemaMode mode) {
      return new Options(mode, clock, listen);
    }
  }

  private final Dialect dialect;
  private final DefinitionStore definitions;
  private final ExecutorStore executors;
  private final InstanceStore instances;
  private final OperatorStore operators;
  private final QueryStore queries;
  private final RetentionStore retention;
  private final LogStore logs;
  private final AuditStore audit;
  private final ChangeStore changes;
  private final StatisticsStore statistics;
  private final Map<Class<?>, Object> roles;
  private final HintChannel hintChannel;
  private final Jdbc jdbc;

  private SqlStore(Jdbc jdbc, HintChannel hintChannel) {
    this.jdbc = jdbc;
    this.dialect = jdbc.dialect();
    this.definitions = new SqlDefinitionStore(jdbc);
    this.executors = new SqlExecutorStore(jdbc);
    this.instances = new SqlInstanceStore(jdbc);
    this.operators = new SqlOperatorStore(jdbc);
    this.queries = new SqlQueryStore(jdbc);
    this.retention = new SqlRetentionStore(jdbc);
    this.logs = new SqlLogStore(jdbc);
    this.audit = new SqlAuditStore(jdbc);
    this.changes = new SqlChangeStore(jdbc);
    this.statistics = new SqlStatisticsStore(jdbc);
    this.roles = jdbc.hooks().roles(jdbc);
    this.hintChannel = hintChannel;
  }

  /**
   * Opens the store in the database to which {@code dataSource} leads, with the tables of all
   * features.
   *
   * @throws io.millrace.store.StoreException if the database is not supported, cannot be reached,
   *     or lacks the tables
   */
  public static SqlStore open(DataSource dataSource, Options options) {
    return open(dataSource, options, FeatureTables.ALL);
  }

  /**
   * Opens the store in the database to which {@code dataSource} leads.
   *
   * @param tables the tables beside those of the core; empty for the core alone. A store with fewer
   *     than the database has archives and deletes no instances, and refuses to retry or move them,
   *     since it does not know what the other features need
   * @throws IllegalArgumentException if some of the tables need others that are not given
   * @throws io.millrace.store.StoreException if the database is not supported, cannot be reached,
   *     or lacks the tables
   */
  public static SqlStore open(DataSource dataSource, Options options, List<SqlExtension> tables) {
    SqlHooks hooks = SqlHooks.of(tables);
    Dialect dialect = Dialects.detect(dataSource);
    Jdbc jdbc = new Jdbc(dataSource, dialect, options.clock(), hooks);
    jdbc.run(
        "open",
        session -> {
          dialect.opened(session);
          return dialect;
        });
    SessionTimeouts timeouts = jdbc.readTimeouts();
    if (timeouts.interfereWith(StatementTimeout.SHORT)) {
      LOG.info(
          "Timeouts of the database user are shorter than the engine's statements may take, so the"
              + " engine replaces them in its own transactions, at the cost of additional"
              + " statements. Connections of the pool keep them. {}",
          timeouts.text(StatementTimeout.SHORT));
    }
    Schema.with(tables).apply(jdbc, options.schema(), SchemaWait.DEFAULT);
    return new SqlStore(
        jdbc, options.listen() ? dialect.hints(dataSource, jdbc.demand()) : HintChannel.NONE);
  }

  /**
   * Returns the tables of features by name, in the order in which they are created; names without
   * tables have none.
   */
  public static List<SqlExtension> tables(Collection<String> features) {
    return FeatureTables.ALL.stream().filter(one -> features.contains(one.name())).toList();
  }

  /**
   * Returns the SQL that creates all tables and records that it did, to be applied by an
   * administrator or another tool for migrations.
   *
   * @param database {@code postgresql} or {@code h2}
   */
  public static String printSchema(String database) {
    return printSchema(database, FeatureTables.ALL);
  }

  /**
   * Returns the SQL that creates the tables of the core and some others, and records that it did.
   *
   * @param database {@code postgresql} or {@code h2}
   */
  public static String printSchema(String database, List<SqlExtension> tables) {
    return Schema.with(tables).print(database);
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
    Object role = roles.get(type);
    if (role == null) {
      throw new IllegalStateException(
          "This store has no "
              + type.getSimpleName()
              + ": it was opened with the tables of "
              + jdbc.hooks().tables()
              + ". Open it with those of the feature that has the "
              + type.getSimpleName()
              + " as well.");
    }
    return type.cast(role);
  }

  @Override
  public HintChannel hints() {
    return hintChannel;
  }

  @Override
  public ReservedAccess reserve() {
    if (jdbc.poolSize().orElse(0) < SPARING_POOL) {
      return Store.super.reserve();
    }
    ReservedConnection kept = jdbc.reserveConnection();
    Jdbc own = jdbc.with(kept.dataSource());
    return new ReservedAccess(new SqlExecutorStore(own), new SqlInstanceStore(own), kept::close);
  }

  @Override
  public JoinedAccess joining(CallerTransactions transactions) {
    Jdbc joining = jdbc.joining(transactions);
    return new JoinedAccess(
        new SqlInstanceStore(joining), new SqlOperatorStore(joining), new SqlQueryStore(joining));
  }

  @Override
  public OptionalInt poolSize() {
    return jdbc.poolSize();
  }

  /**
   * Checks that the database accepts writes, and replaces read-only connections like each statement
   * that writes.
   */
  @Override
  public void checkWritable() {
    jdbc.run(
        "take a write",
        session -> {
          if (session
              .first(dialect.readOnly(), Params.none(), row -> row.getBoolean("read_only"))
              .orElse(false)) {
            throw SqlErrors.readOnly();
          }
          return true;
        });
  }

  @Override
  public boolean interruptible() {
    return dialect.interruptible();
  }

  @Override
  public void close() {
    hintChannel.close();
  }
}
