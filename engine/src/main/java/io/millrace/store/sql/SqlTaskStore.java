package io.millrace.store.sql;

import io.millrace.store.StoreException;
import io.millrace.store.TaskStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The types and tasks in SQL; {@link CompiledSequenceTable} has the compiled sequences. */
final class SqlTaskStore implements TaskStore {

  private static final int MAX_NAMED = 10;

  private static final String ADD_TYPE =
      """
      INSERT INTO millrace_sequence_type (name) SELECT CAST(:type AS varchar)
      WHERE NOT EXISTS (SELECT 1 FROM millrace_sequence_type WHERE name = :type)
      """;

  private static final String LOCK_TYPE =
      "SELECT id FROM millrace_sequence_type WHERE name = :type FOR UPDATE";

  private static final String TYPES = "SELECT name FROM millrace_sequence_type ORDER BY name";

  private static final String DELETE_TYPE = "DELETE FROM millrace_sequence_type WHERE name = :type";

  private static final String USERS_OF_TYPE =
      """
      SELECT u.name FROM (
        SELECT name FROM millrace_task WHERE type = :type
        UNION ALL
        SELECT sequence_id AS name FROM millrace_sequence WHERE type = :type) u
      LIMIT :limit
      """;

  private static final String USERS_OF_TASK =
      """
      SELECT DISTINCT sequence_id AS name FROM millrace_sequence_task
      WHERE task_id = :id ORDER BY sequence_id LIMIT :limit
      """;

  private static final String SELECT =
      """
      SELECT id, name, type, channel, component, dependency, options, revision
      FROM millrace_task
      """;

  private static final String FIND = SELECT + "WHERE id = :id";

  private static final String ID_OF = "SELECT id FROM millrace_task WHERE name = :name";

  private static final String INSERT =
      """
      INSERT INTO millrace_task (name, type, channel, component,
        dependency, options, revision, applied_revision, modified_at)
      VALUES (:name, :type, :channel, :component, :dependency, :options, 1, 1, :now)
      """;

  private static final String UPDATE =
      """
      UPDATE millrace_task SET name = :name, type = :type,
        channel = :channel, component = :component, dependency = :dependency,
        options = :options, revision = revision + 1, modified_at = :now
      WHERE id = :id
      """;

  private static final String APPLIED_REVISION =
      "SELECT applied_revision FROM millrace_task WHERE id = :id";

  private static final String RECORD_APPLIED_REVISION =
      """
      UPDATE millrace_task SET applied_revision = :revision
      WHERE id = :id AND applied_revision < :revision
      """;

  private static final String DELETE = "DELETE FROM millrace_task WHERE id = :id";

  private final Jdbc jdbc;
  private final CompiledSequenceTable compiledSequenceTable;

  SqlTaskStore(Jdbc jdbc) {
    this.jdbc = jdbc;
    this.compiledSequenceTable = new CompiledSequenceTable(jdbc);
  }

  @Override
  public void addType(String type) {
    again(() ->
        jdbc.transaction(
            "add a sequence type",
            session -> {
              addType(session, type);
              return type;
            }));
  }

  /**
   * Adds a missing type. The transaction fails as a duplicate if another one adds it at the same
   * time, see {@link #again}.
   */
  static void addType(SqlSession session, String type) throws SQLException {
    session.update(ADD_TYPE, Params.of("type", type));
  }

  /** Retries work if another transaction has added the same in the middle of it. */
  static <T> T again(Supplier<T> work) {
    try {
      return work.get();
    } catch (StoreException e) {
      if (SqlErrors.isDuplicate(e)) {
        return work.get();
      }
      throw e;
    }
  }

  @Override
  public ChangeResult removeType(String type) {
    return jdbc.transaction(
        "remove a sequence type",
        session -> {
          Params params = Params.of("type", type).set("limit", MAX_NAMED);
          Optional<Integer> id = session.first(LOCK_TYPE, params, row -> row.getInt("id"));
          if (id.isEmpty()) {
            return new ChangeResult.Missing();
          }
          List<String> users = names(session, USERS_OF_TYPE, params);
          if (!users.isEmpty()) {
            return new ChangeResult.InUse(users);
          }
          session.update(DELETE_TYPE, params);
          return new ChangeResult.Done(id.get(), 1);
        });
  }

  @Override
  public List<String> types() {
    return jdbc.run(
        "list sequence types",
        session -> session.query(TYPES, Params.none(), row -> row.getString("name")));
  }

  @Override
  public ChangeResult add(StoredTask task) {
    return again(() ->
        jdbc.transaction(
            "add a task",
            session -> {
              Optional<Integer> taken = idOf(session, task.name());
              if (taken.isPresent()) {
                return new ChangeResult.NameTaken(taken.get());
              }
              addType(session, task.type());
              return new ChangeResult.Done(insert(session, task), 1);
            }));
  }

  private static int insert(SqlSession session, StoredTask task) throws SQLException {
    return session
        .changed(INSERT, params(task), new String[] {"id"}, row -> row.getInt(1))
        .orElseThrow(() -> new SQLException("An inserted task got no id."));
  }

  @Override
  public ChangeResult update(StoredTask task) {
    return again(() -> jdbc.transaction("change a task", session -> update(session, task)));
  }

  private static ChangeResult update(SqlSession session, StoredTask task) throws SQLException {
    Optional<StoredTask> stored = lock(session, task.id());
    if (stored.isEmpty()) {
      return new ChangeResult.Missing();
    }
    if (stored.get().revision() != task.revision()) {
      return new ChangeResult.Stale(stored.get().revision());
    }
    Optional<Integer> taken = idOf(session, task.name());
    if (taken.isPresent() && taken.get() != task.id()) {
      return new ChangeResult.NameTaken(taken.get());
    }
    if (!stored.get().type().equals(task.type())) {
      List<String> users = usersOf(session, task.id());
      if (!users.isEmpty()) {
        return new ChangeResult.InUse(users);
      }
      addType(session, task.type());
    }
    session.update(UPDATE, params(task).set("id", task.id()));
    return new ChangeResult.Done(task.id(), task.revision() + 1);
  }

  @Override
  public ChangeResult remove(int taskId) {
    return jdbc.transaction(
        "remove a task",
        session -> {
          Optional<StoredTask> stored = lock(session, taskId);
          if (stored.isEmpty()) {
            return new ChangeResult.Missing();
          }
          List<String> users = usersOf(session, taskId);
          if (!users.isEmpty()) {
            return new ChangeResult.InUse(users);
          }
          session.update(DELETE, Params.of("id", taskId));
          return new ChangeResult.Done(taskId, stored.get().revision());
        });
  }

  /**
   * Locks a task. A position that is added at the same time refers to the task, and therefore waits
   * for the lock.
   */
  private static Optional<StoredTask> lock(SqlSession session, int taskId) throws SQLException {
    return session.first(FIND + " FOR UPDATE", Params.of("id", taskId), SqlTaskStore::task);
  }

  private static Optional<Integer> idOf(SqlSession session, String name) throws SQLException {
    return session.first(ID_OF, Params.of("name", name), row -> row.getInt("id"));
  }

  private static List<String> usersOf(SqlSession session, int taskId) throws SQLException {
    return names(session, USERS_OF_TASK, Params.of("id", taskId).set("limit", MAX_NAMED));
  }

  private static List<String> names(SqlSession session, String sql, Params params)
      throws SQLException {
    return session.query(sql, params, row -> row.getString("name"));
  }

  @Override
  public Optional<StoredTask> find(int taskId) {
    return jdbc.run(
        "find a task", session -> session.first(FIND, Params.of("id", taskId), SqlTaskStore::task));
  }

  @Override
  public List<StoredTask> tasks() {
    return jdbc.run(
        "list tasks",
        session -> session.query(SELECT + "ORDER BY id", Params.none(), SqlTaskStore::task));
  }

  @Override
  public int appliedRevision(int taskId) {
    return jdbc.run(
        "read the applied revision of a task",
        session ->
            session
                .first(
                    APPLIED_REVISION,
                    Params.of("id", taskId),
                    row -> row.getInt("applied_revision"))
                .orElse(0));
  }

  @Override
  public void recordAppliedRevision(int taskId, int revision) {
    jdbc.run(
        "record the applied revision of a task",
        session ->
            session.update(
                RECORD_APPLIED_REVISION, Params.of("id", taskId).set("revision", revision)));
  }

  @Override
  public StoredCompiledSequence compiledSequence(
      String type, String fingerprint, String document, List<CompiledState> states) {
    return compiledSequenceTable.compiledSequence(type, fingerprint, document, states);
  }

  @Override
  public List<StoredCompiledSequence> compiledSequencesAfter(int id, int limit) {
    return compiledSequenceTable.after(id, limit);
  }

  private static StoredTask task(ResultSet row) throws SQLException {
    return new StoredTask(
        row.getInt("id"),
        row.getString("name"),
        row.getString("type"),
        new HandlerReference(row.getString("channel"), row.getString("component")),
        row.getInt("dependency"),
        row.getString("options"),
        row.getInt("revision"));
  }

  private static Params params(StoredTask task) {
    return Params.of("name", task.name())
        .set("type", task.type())
        .set("channel", task.work().channel())
        .set("component", task.work().component())
        .set("dependency", task.dependency())
        .set("options", task.options());
  }
}
