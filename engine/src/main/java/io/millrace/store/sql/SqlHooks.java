package io.millrace.store.sql;

import io.millrace.store.AttachedWrite;
import io.millrace.store.AttachedWriteRules;
import io.millrace.store.NewInstance;
import io.millrace.store.SaveRequest;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The parts that features have in the store beside the core. Hooks of one kind run in {@link
 * SqlExtension#LOCK_ORDER}. Immutable.
 */
final class SqlHooks {

  static final SqlHooks NONE = of(List.of());

  /** Work in the transaction that recovers a dead executor, whose row is locked. */
  @FunctionalInterface
  interface ExecutorDeath {
    /**
     * Runs in the recovery.
     *
     * @param executor for messages: "Executor 5 on host"
     */
    void handle(SqlSession session, long executorId, String executor) throws SQLException;
  }

  /** Work in the transaction that stops an executor in good order, after its row was changed. */
  @FunctionalInterface
  interface ExecutorStop {
    void handle(SqlSession session, long executorId) throws SQLException;
  }

  /** Locks rows in the transaction of a retry or move before the instance is locked. */
  @FunctionalInterface
  interface ReopeningLock {
    void lock(SqlSession session, long instanceId) throws SQLException;
  }

  /**
   * Work in the transaction of a command, under the lock of its instance, which had ended or waited
   * for a person and goes on.
   */
  @FunctionalInterface
  interface Reopening {
    /**
     * Runs after the command.
     *
     * @param waits true if the instance waits for a person again
     */
    void reopened(SqlSession session, long instanceId, boolean waits) throws SQLException;
  }

  /**
   * A table whose rows belong to executors, which keeps these from being forgotten. It has the
   * columns {@code executor_id}, with an index, and {@code executor_group}.
   *
   * @param key a column that is never null
   */
  record OwnedTable(String table, String key) {}

  /** A check of the doctor. */
  record NamedCheck(String name, SqlDoctor.SessionCheck check) {}

  private record TypedWriter<W extends AttachedWrite>(Class<W> type, AttachedWriter<W> writer) {
    /** Writes the rows of the type, and returns their number. */
    int write(SqlSession session, List<AttachedRow<?>> rows) throws SQLException {
      List<AttachedRow<W>> own = rows.stream().flatMap(row -> row.as(type)).toList();
      if (!own.isEmpty()) {
        writer.write(session, own);
      }
      return own.size();
    }
  }

  private final String tables;
  private final List<String> components;
  private final Map<Class<?>, Function<Jdbc, ?>> roles;
  private final List<TypedWriter<?>> writers;
  private final Set<Class<?>> writtenTypes;
  private final List<ExecutorDeath> deaths;
  private final List<ExecutorStop> stops;
  private final List<OwnedTable> owned;
  private final List<ReopeningLock> reopeningLocks;
  private final List<Reopening> reopenings;
  private final String keeping;
  private final List<NamedCheck> checks;

  private SqlHooks(List<SqlExtension> extensions, Builder builder) {
    this.tables =
        extensions.isEmpty()
            ? "the core alone"
            : extensions.stream()
                .map(SqlExtension::name)
                .sorted()
                .collect(Collectors.joining(", ", "the core and of ", ""));
    this.components = extensions.stream().map(SqlExtension::component).toList();
    this.roles = Map.copyOf(builder.roles);
    this.writers = List.copyOf(builder.writers);
    this.writtenTypes =
        writers.stream().map(TypedWriter::type).collect(Collectors.toUnmodifiableSet());
    this.deaths = List.copyOf(builder.deaths);
    this.stops = List.copyOf(builder.stops);
    this.owned = List.copyOf(builder.owned);
    this.reopeningLocks = List.copyOf(builder.reopeningLocks);
    this.reopenings = List.copyOf(builder.reopenings);
    this.keeping =
        builder.kept.stream().map(condition -> " AND " + condition).collect(Collectors.joining());
    this.checks = List.copyOf(builder.checks);
  }

  /** Returns the hooks of the extensions. */
  static SqlHooks of(List<SqlExtension> extensions) {
    SqlExtension.check(extensions);
    Builder builder = new Builder();
    List<SqlExtension> sorted = extensions.stream().sorted(SqlExtension.LOCK_ORDER).toList();
    sorted.forEach(extension -> extension.register(builder));
    return new SqlHooks(sorted, builder);
  }

  /** Returns for messages which tables the store has, as in "the core and of data, sequences". */
  String tables() {
    return tables;
  }

  /**
   * Returns the features that the database has tables of and this store has no hooks of. Others may
   * have created them after this store was opened, so they are read where a hook that is missing
   * would do harm.
   */
  List<String> missing(SqlSession session) throws SQLException {
    return SchemaHistory.others(session, SqlExtension.COMPONENT, components).stream()
        .map(component -> component.substring(SqlExtension.COMPONENT.length()))
        .toList();
  }

  /** Returns the roles of the features on connections of {@code jdbc}, by their types. */
  Map<Class<?>, Object> roles(Jdbc jdbc) {
    return roles.entrySet().stream()
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, e -> e.getValue().apply(jdbc)));
  }

  /** Refuses a transition with attached writes that no feature can write. */
  void requireWriters(SaveRequest save) {
    AttachedWriteRules.check(save, writtenTypes::contains, this::lacksTables);
  }

  /** Refuses a start with attached writes that no feature can write. */
  void requireWriters(NewInstance instance) {
    AttachedWriteRules.check(instance, writtenTypes::contains, this::lacksTables);
  }

  private String lacksTables() {
    return "it was opened with those of "
        + tables
        + ". Open it with those of the feature that makes such writes as well.";
  }

  /** Writes the rows, each of which has a writer. */
  void writeAttached(SqlSession session, List<AttachedRow<?>> rows) throws SQLException {
    if (rows.isEmpty()) {
      return;
    }
    int written = 0;
    for (TypedWriter<?> writer : writers) {
      written += writer.write(session, rows);
    }
    if (written < rows.size()) {
      throw new IllegalStateException(
          "Attached writes without a writer were not refused before their transaction: " + rows);
    }
  }

  void executorDied(SqlSession session, long executorId, String executor) throws SQLException {
    for (ExecutorDeath death : deaths) {
      death.handle(session, executorId, executor);
    }
  }

  void executorStopped(SqlSession session, long executorId) throws SQLException {
    for (ExecutorStop stop : stops) {
      stop.handle(session, executorId);
    }
  }

  /** Returns the tables beside that of instances whose rows belong to executors. */
  List<OwnedTable> owned() {
    return owned;
  }

  void lockForReopening(SqlSession session, long instanceId) throws SQLException {
    for (ReopeningLock reopeningLock : reopeningLocks) {
      reopeningLock.lock(session, instanceId);
    }
  }

  void reopened(SqlSession session, long instanceId, boolean waits) throws SQLException {
    for (Reopening reopening : reopenings) {
      reopening.reopened(session, instanceId, waits);
    }
  }

  /**
   * Returns conditions for an instance {@code w} that retention may remove, each after {@code AND};
   * empty for none.
   */
  String keeping() {
    return keeping;
  }

  List<NamedCheck> checks() {
    return checks;
  }

  /** Collects the hooks of extensions. */
  static final class Builder {

    private final Map<Class<?>, Function<Jdbc, ?>> roles = new LinkedHashMap<>();
    private final List<TypedWriter<?>> writers = new ArrayList<>();
    private final List<ExecutorDeath> deaths = new ArrayList<>();
    private final List<ExecutorStop> stops = new ArrayList<>();
    private final List<OwnedTable> owned = new ArrayList<>();
    private final List<ReopeningLock> reopeningLocks = new ArrayList<>();
    private final List<Reopening> reopenings = new ArrayList<>();
    private final List<String> kept = new ArrayList<>();
    private final List<NamedCheck> checks = new ArrayList<>();

    private Builder() {}

    <R> Builder role(Class<R> type, Function<Jdbc, R> role) {
      if (roles.putIfAbsent(type, role) != null) {
        throw new IllegalArgumentException("Two extensions have the role " + type.getName() + ".");
      }
      return this;
    }

    <W extends AttachedWrite> Builder attached(Class<W> type, AttachedWriter<W> writer) {
      writers.add(new TypedWriter<>(type, writer));
      return this;
    }

    Builder executorDied(ExecutorDeath hook) {
      deaths.add(hook);
      return this;
    }

    Builder executorStopped(ExecutorStop hook) {
      stops.add(hook);
      return this;
    }

    Builder owns(String table, String key) {
      owned.add(new OwnedTable(table, key));
      return this;
    }

    Builder reopening(ReopeningLock lock, Reopening reopening) {
      reopeningLocks.add(lock);
      reopenings.add(reopening);
      return this;
    }

    /**
     * @param condition true for an instance {@code w} that retention may remove: a scalar subquery
     *     that is null, since EXISTS may read all rows
     */
    Builder keeps(String condition) {
      kept.add(condition);
      return this;
    }

    Builder check(String name, SqlDoctor.SessionCheck check) {
      checks.add(new NamedCheck(name, check));
      return this;
    }
  }
}
