package io.millrace.store.sql;

import io.millrace.store.TaskStore.CompiledState;
import io.millrace.store.TaskStore.StoredCompiledSequence;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The table of compiled sequences, shared by sequences of the same tasks in the same order. */
final class CompiledSequenceTable {

  private static final String SELECT =
      "SELECT id, type, version, fingerprint, document FROM millrace_compiled_sequence ";

  private static final String FIND = SELECT + "WHERE type = :type AND fingerprint = :fingerprint";

  private static final String AFTER = SELECT + "WHERE id > :after ORDER BY id LIMIT :limit";

  /**
   * Lock of inserts. Without it, a reader by ids would miss a compiled sequence that is committed
   * after a greater id.
   */
  private static final String LOCK =
      "SELECT position FROM millrace_mark WHERE name = 'sequence.compiled' FOR UPDATE";

  private static final String VERSION =
      "SELECT COALESCE(MAX(version), 0) + 1 AS version FROM millrace_compiled_sequence WHERE type = :type";

  private static final String INSERT =
      """
      INSERT INTO millrace_compiled_sequence (type, version, fingerprint, document)
      VALUES (:type, :version, :fingerprint, :document)
      """;

  private static final String INSERT_STATE =
      """
      INSERT INTO millrace_compiled_state (type, version, state, position, task_id, next_task_id)
      VALUES (:type, :version, :state, :sequence, :taskId, :nextTask)
      """;

  private final Jdbc jdbc;

  CompiledSequenceTable(Jdbc jdbc) {
    this.jdbc = jdbc;
  }

  StoredCompiledSequence compiledSequence(
      String type, String fingerprint, String document, List<CompiledState> states) {
    Params key = Params.of("type", type).set("fingerprint", fingerprint);
    Optional<StoredCompiledSequence> known =
        jdbc.run(
            "find a compiled sequence",
            session -> session.first(FIND, key, CompiledSequenceTable::read));
    return known.orElseGet(() ->
        jdbc.transaction(
            "add a compiled sequence",
            session -> {
              session.forEachRow(LOCK, Params.none(), row -> {});
              Optional<StoredCompiledSequence> meanwhile =
                  session.first(FIND, key, CompiledSequenceTable::read);
              return meanwhile.isPresent()
                  ? meanwhile.get()
                  : insert(session, type, fingerprint, document, states);
            }));
  }

  private static StoredCompiledSequence insert(
      SqlSession session,
      String type,
      String fingerprint,
      String document,
      List<CompiledState> states)
      throws SQLException {
    int version =
        session.query(VERSION, Params.of("type", type), row -> row.getInt("version")).getFirst();
    long id =
        session.insert(
            INSERT,
            Params.of("type", type)
                .set("version", version)
                .set("fingerprint", fingerprint)
                .set("document", document));
    session.batch(
        INSERT_STATE,
        states.stream()
            .map(state ->
                Params.of("type", type)
                    .set("version", version)
                    .set("state", state.state())
                    .set("sequence", state.position())
                    .set("taskId", state.taskId())
                    .set("nextTask", state.nextTask()))
            .toList());
    return new StoredCompiledSequence(Math.toIntExact(id), type, version, fingerprint, document);
  }

  List<StoredCompiledSequence> after(int id, int limit) {
    return jdbc.run(
        "read compiled sequences",
        session ->
            session.query(
                AFTER, Params.of("after", id).set("limit", limit), CompiledSequenceTable::read));
  }

  private static StoredCompiledSequence read(ResultSet row) throws SQLException {
    return new StoredCompiledSequence(
        row.getInt("id"),
        row.getString("type"),
        row.getInt("version"),
        row.getString("fingerprint"),
        row.getString("document"));
  }
}
