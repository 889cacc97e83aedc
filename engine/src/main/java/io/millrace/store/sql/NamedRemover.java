package io.millrace.store.sql;

import io.millrace.store.RetentionStore;
import io.millrace.store.StoreException;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Deletes what belongs to task sequences and continuous workflows that are removed, in parts of
 * {@link RetentionStore#ROWS_PER_PART} rows. Their own rows go with the first part, so that nothing
 * fires any more; what is left cannot be read, and a row of {@code millrace_named_removal}
 * remembers it.
 */
final class NamedRemover {

  /** Kind of what is removed, as stored. */
  enum Kind {
    SEQUENCE("sequence", "task sequence"),
    CONTINUOUS("continuous", "continuous workflow");

    private final String code;

    /** For messages. */
    private final String title;

    Kind(String code, String title) {
      this.code = code;
      this.title = title;
    }
  }

  /** The lock keeps the end of an execution and retention from what is about to be deleted. */
  private static final String SLOT_RECORDS =
      """
      SELECT id, execution_id FROM millrace_slot_record
      WHERE sequence_id = :id ORDER BY sequence_id, slot_at, id LIMIT :rows FOR UPDATE
      """;

  /** A sequence that is added again under the id has slots of its own. */
  private static final String FORGET_EXECUTIONS =
      """
      UPDATE millrace_instance SET external_id = NULL
      WHERE id = ANY(CAST(:executions AS bigint ARRAY)) AND external_id IS NOT NULL
      """;

  private static final String DELETE_SLOT_RECORDS =
      "DELETE FROM millrace_slot_record WHERE id = ANY(CAST(:records AS bigint ARRAY))";

  private static final String REMEMBER =
      "INSERT INTO millrace_named_removal (kind, name) VALUES (:kind, :id)";

  private static final String LOCK =
      "SELECT name FROM millrace_named_removal WHERE kind = :kind AND name = :id";

  private static final String FORGET =
      "DELETE FROM millrace_named_removal WHERE kind = :kind AND name = :id";

  private static final String UNFINISHED =
      "SELECT kind, name FROM millrace_named_removal ORDER BY kind, name LIMIT :limit";

  private static final String UNFINISHED_OF =
      """
      SELECT name FROM millrace_named_removal
      WHERE kind = :kind AND name = ANY(CAST(:names AS varchar ARRAY))
      """;

  private static final int MAX_UNFINISHED = 1_000;

  private record Removed(Kind kind, String name) {
    Params params() {
      return Params.of("id", name).set("kind", kind.code).set("rows", RetentionStore.ROWS_PER_PART);
    }
  }

  private record SlotRecordRow(long id, @Nullable Long executionId) {}

  /** Thrown if something is added under the name of something whose removal is unfinished. */
  private static final class UnfinishedException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient List<Removed> unfinished;

    UnfinishedException(List<Removed> unfinished) {
      super("unfinished removals: " + unfinished);
      this.unfinished = unfinished;
    }
  }

  private final Jdbc jdbc;
  private final List<String> continuousParts;

  NamedRemover(Jdbc jdbc) {
    this.jdbc = jdbc;
    boolean embedded = jdbc.dialect().embedded();
    this.continuousParts =
        List.of(
            RemovalTables.deletePart("millrace_continuous_event", "name", "seq", embedded),
            RemovalTables.deletePart("millrace_trigger_event", "name", "id", embedded),
            RemovalTables.deletePart("millrace_trigger_memory", "name", "item", embedded));
  }

  /** Deletes the first part, in the transaction that deletes the row of the removed itself. */
  void begin(SqlSession session, Kind kind, String name) throws SQLException {
    Removed removed = new Removed(kind, name);
    if (deletePart(session, removed)) {
      session.update(REMEMBER, removed.params());
    }
  }

  /** Runs {@code work} that adds something, after unfinished removals of its names. */
  <T> T beforeAdding(Supplier<T> work) {
    while (true) {
      try {
        return work.get();
      } catch (UnfinishedException e) {
        e.unfinished.forEach(this::finish);
      }
    }
  }

  /**
   * Ends the transaction of {@link #beforeAdding} when something is unfinished. The rows have been
   * added in it, so that nobody else can add or remove their names from here on.
   */
  static void check(SqlSession session, Kind kind, List<String> names) throws SQLException {
    List<Removed> unfinished =
        session.query(
            UNFINISHED_OF,
            Params.of("kind", kind.code).texts("names", names, name -> name),
            row -> new Removed(kind, row.getString("name")));
    if (!unfinished.isEmpty()) {
      throw new UnfinishedException(unfinished);
    }
  }

  private void finish(Removed removed) {
    while (resume(removed, " FOR UPDATE")) {}
  }

  /**
   * Goes on with all that is unfinished, by a part of each, and returns the number of parts. One
   * that cannot be removed fails the call only when no other is left.
   */
  int resume() {
    List<Removed> unfinished =
        jdbc.run(
            "list unfinished removals",
            session ->
                session.query(
                    UNFINISHED,
                    Params.of("limit", MAX_UNFINISHED),
                    row -> new Removed(kind(row.getString("kind")), row.getString("name"))));
    int parts = 0;
    StoreException failure = null;
    for (Removed removed : unfinished) {
      try {
        parts += resume(removed, jdbc.dialect().skipLocked()) ? 1 : 0;
      } catch (StoreException e) {
        if (!e.rejected() && !e.blocked()) {
          throw e;
        }
        failure = e;
      }
    }
    if (parts == 0 && failure != null) {
      throw failure;
    }
    return parts;
  }

  private static Kind kind(String code) {
    return Stream.of(Kind.values())
        .filter(kind -> kind.code.equals(code))
        .findFirst()
        .orElseThrow(() ->
            new IllegalStateException(
                "millrace_named_removal has the unknown kind '"
                    + code
                    + "'; a newer version wrote it."));
  }

  /** False when it is finished, or another transaction works on it and is passed over. */
  private boolean resume(Removed removed, String lock) {
    return jdbc.transaction(
        "go on with the removal of " + removed.kind.title + " '" + removed.name + "'",
        StatementTimeout.LONG,
        session -> {
          if (session.first(LOCK + lock, removed.params(), row -> true).isEmpty()) {
            return false;
          }
          if (!deletePart(session, removed)) {
            session.update(FORGET, removed.params());
          }
          return true;
        });
  }

  /** Returns true if more may be left. */
  private boolean deletePart(SqlSession session, Removed removed) throws SQLException {
    jdbc.dialect().preferIndexOrder(session);
    return switch (removed.kind) {
      case SEQUENCE -> deleteSlotRecords(session, removed);
      case CONTINUOUS -> deleteContinuous(session, removed);
    };
  }

  private static boolean deleteSlotRecords(SqlSession session, Removed removed)
      throws SQLException {
    List<SlotRecordRow> records =
        session.query(
            SLOT_RECORDS,
            removed.params(),
            row ->
                new SlotRecordRow(row.getLong("id"), RowMappers.longOrNull(row, "execution_id")));
    List<Long> executions =
        records.stream().map(SlotRecordRow::executionId).filter(Objects::nonNull).toList();
    if (!executions.isEmpty()) {
      session.update(FORGET_EXECUTIONS, Params.none().longs("executions", executions));
    }
    if (!records.isEmpty()) {
      session.update(
          DELETE_SLOT_RECORDS, Params.none().longs("records", records, SlotRecordRow::id));
    }
    return records.size() == RetentionStore.ROWS_PER_PART;
  }

  private boolean deleteContinuous(SqlSession session, Removed removed) throws SQLException {
    int room = RetentionStore.ROWS_PER_PART;
    for (String deletePart : continuousParts) {
      room -= session.update(deletePart, removed.params().set("rows", room));
      if (room == 0) {
        return true;
      }
    }
    return false;
  }
}
