package io.millrace.store.sql;

import io.millrace.store.RetentionStore;
import io.millrace.store.StoreException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Deletes what belongs to something with a name that is removed, such as a task sequence, in parts
 * of {@link RetentionStore#ROWS_PER_PART} rows. Its own row goes with the first part, so that
 * nothing is done for it any more; what is left cannot be read, and a row of {@code
 * millrace_named_removal} remembers it.
 */
final class NamedRemover {

  /** Deletes the first rows that belong to something with a name. */
  @FunctionalInterface
  interface PartDeletion {
    /**
     * Deletes up to {@link RetentionStore#ROWS_PER_PART} rows. Returns true if more may be left.
     */
    boolean deletePart(SqlSession session, String name) throws SQLException;
  }

  /**
   * A kind of what is removed.
   *
   * @param code the kind as stored
   * @param title the kind in messages
   */
  record Kind(String code, String title, PartDeletion deletion) {}

  private static final String REMEMBER =
      "INSERT INTO millrace_named_removal (kind, name) VALUES (:kind, :id)";

  private static final String LOCK =
      "SELECT name FROM millrace_named_removal WHERE kind = :kind AND name = :id";

  private static final String FORGET =
      "DELETE FROM millrace_named_removal WHERE kind = :kind AND name = :id";

  private static final String UNFINISHED =
      """
      SELECT kind, name FROM millrace_named_removal
      WHERE kind = ANY(CAST(:kinds AS varchar ARRAY)) ORDER BY kind, name LIMIT :limit
      """;

  private static final String UNFINISHED_OF =
      """
      SELECT name FROM millrace_named_removal
      WHERE kind = :kind AND name = ANY(CAST(:names AS varchar ARRAY))
      """;

  private static final int MAX_UNFINISHED = 1_000;

  private record Removed(Kind kind, String name) {
    Params params() {
      return Params.of("id", name).set("kind", kind.code);
    }
  }

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

  NamedRemover(Jdbc jdbc) {
    this.jdbc = jdbc;
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
   * Goes on with all that is unfinished and of a known kind, by a part of each, and returns the
   * number of parts. One that cannot be removed fails the call only when no other is left.
   */
  int resume() {
    Map<String, Kind> kinds =
        jdbc.hooks().removals().stream().collect(Collectors.toMap(Kind::code, kind -> kind));
    if (kinds.isEmpty()) {
      return 0;
    }
    List<Removed> unfinished =
        jdbc.run(
            "list unfinished removals",
            session ->
                session.query(
                    UNFINISHED,
                    Params.of("limit", MAX_UNFINISHED).texts("kinds", kinds.keySet(), code -> code),
                    row ->
                        new Removed(
                            Objects.requireNonNull(kinds.get(row.getString("kind"))),
                            row.getString("name"))));
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

  private boolean deletePart(SqlSession session, Removed removed) throws SQLException {
    jdbc.dialect().preferIndexOrder(session);
    return removed.kind.deletion.deletePart(session, removed.name);
  }
}
