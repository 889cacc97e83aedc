package io.millrace.store.sql;

import io.millrace.store.RetentionStore;
import io.millrace.store.StoreException;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Supplier;

/**
 * Deletes what belongs to something with a name that is removed, such as a task sequence, in parts
 * of {@link RetentionStore#ROWS_PER_PART} rows. Its own row goes with the first part, so that
 * nothing is done for it any more; what is left cannot be read, and a row of the feature's table of
 * removals remembers it.
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
   * @param table the table of unfinished removals
   * @param column its only column, with the name
   * @param title the kind in messages
   */
  record Kind(String table, String column, String title, PartDeletion deletion) {
    String sql(String text) {
      return text.replace("REMOVALS", table).replace("NAME", column);
    }
  }

  private static final String REMEMBER = "INSERT INTO REMOVALS (NAME) VALUES (:id)";

  private static final String LOCK = "SELECT NAME FROM REMOVALS WHERE NAME = :id";

  private static final String FORGET = "DELETE FROM REMOVALS WHERE NAME = :id";

  private static final String UNFINISHED =
      "SELECT NAME AS name FROM REMOVALS ORDER BY NAME LIMIT :limit";

  private static final String UNFINISHED_OF =
      "SELECT NAME AS name FROM REMOVALS WHERE NAME = ANY(CAST(:names AS varchar ARRAY))";

  private static final int MAX_UNFINISHED = 1_000;

  /** Thrown if something is added under the name of something whose removal is unfinished. */
  private static final class UnfinishedException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient List<String> names;

    UnfinishedException(List<String> names) {
      super("unfinished removals: " + names);
      this.names = names;
    }
  }

  private final Jdbc jdbc;
  private final Kind kind;

  NamedRemover(Jdbc jdbc, Kind kind) {
    this.jdbc = jdbc;
    this.kind = kind;
  }

  /** Deletes the first part, in the transaction that deletes the row of the removed itself. */
  void begin(SqlSession session, String name) throws SQLException {
    if (deletePart(session, name)) {
      session.update(kind.sql(REMEMBER), Params.of("id", name));
    }
  }

  /** Runs {@code work} that adds something, after unfinished removals of its names. */
  <T> T beforeAdding(Supplier<T> work) {
    while (true) {
      try {
        return work.get();
      } catch (UnfinishedException e) {
        e.names.forEach(this::finish);
      }
    }
  }

  /**
   * Ends the transaction of {@link #beforeAdding} when something is unfinished. The rows have been
   * added in it, so that nobody else can add or remove their names from here on.
   */
  void check(SqlSession session, List<String> names) throws SQLException {
    List<String> unfinished =
        session.query(
            kind.sql(UNFINISHED_OF),
            Params.none().texts("names", names, name -> name),
            row -> row.getString("name"));
    if (!unfinished.isEmpty()) {
      throw new UnfinishedException(unfinished);
    }
  }

  private void finish(String name) {
    while (resume(name, " FOR UPDATE")) {}
  }

  /**
   * Goes on with all that is unfinished, by a part of each, and returns the number of parts. One
   * that cannot be removed fails the call only when no other is left.
   */
  int resume() {
    List<String> unfinished =
        jdbc.run(
            "list unfinished removals",
            session ->
                session.query(
                    kind.sql(UNFINISHED),
                    Params.of("limit", MAX_UNFINISHED),
                    row -> row.getString("name")));
    int parts = 0;
    StoreException failure = null;
    for (String name : unfinished) {
      try {
        parts += resume(name, jdbc.dialect().skipLocked()) ? 1 : 0;
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
  private boolean resume(String name, String lock) {
    return jdbc.transaction(
        "go on with the removal of " + kind.title + " '" + name + "'",
        StatementTimeout.LONG,
        session -> {
          Params params = Params.of("id", name);
          if (session.first(kind.sql(LOCK) + lock, params, row -> true).isEmpty()) {
            return false;
          }
          if (!deletePart(session, name)) {
            session.update(kind.sql(FORGET), params);
          }
          return true;
        });
  }

  private boolean deletePart(SqlSession session, String name) throws SQLException {
    jdbc.dialect().preferIndexOrder(session);
    return kind.deletion.deletePart(session, name);
  }
}
