package io.millrace.store.sql;

import io.millrace.store.DefinitionStore;
import io.millrace.store.StoreException;
import java.util.List;
import java.util.Optional;

/** The definitions in SQL, one row for each type and version. */
final class SqlDefinitionStore implements DefinitionStore {

  private static final String COLUMNS = "id, type, version, hash, document";

  private static final String FIND =
      "SELECT " + COLUMNS + " FROM millrace_definition WHERE type = :type AND version = :version";

  private static final String LATEST =
      "SELECT "
          + COLUMNS
          + " FROM millrace_definition WHERE type = :type ORDER BY version DESC LIMIT 1";

  private static final String LIST =
      "SELECT " + COLUMNS + " FROM millrace_definition ORDER BY type, version";

  private static final String INSERT =
      """
      INSERT INTO millrace_definition (type, version, hash, document, created_at, modified_at)
      VALUES (:type, :version, :hash, :document, :now, :now)
      """;

  private static final String REPLACE =
      """
      UPDATE millrace_definition SET hash = :hash, document = :document, modified_at = :now
      WHERE id = :id
      """;

  private final Jdbc jdbc;

  SqlDefinitionStore(Jdbc jdbc) {
    this.jdbc = jdbc;
  }

  @Override
  public Saved save(String type, int version, String hash, String document) {
    try {
      return saveOnce(type, version, hash, document);
    } catch (StoreException e) {
      if (SqlErrors.isDuplicate(e)) {
        // Another node has just stored it, so now there is a row to compare with.
        return saveOnce(type, version, hash, document);
      }
      throw e;
    }
  }

  private Saved saveOnce(String type, int version, String hash, String document) {
    Params params =
        Params.of("type", type).set("version", version).set("hash", hash).set("document", document);
    return jdbc.transaction(
        "store a definition",
        session -> {
          Optional<StoredDefinition> stored =
              session.first(FIND + " FOR UPDATE", params, RowMappers::definition);
          if (stored.isEmpty()) {
            return new Saved(Math.toIntExact(session.insert(INSERT, params)), false);
          }
          boolean replaced = !stored.get().hash().equals(hash);
          if (replaced) {
            session.update(REPLACE, params.set("id", stored.get().id()));
          }
          return new Saved(stored.get().id(), replaced);
        });
  }

  @Override
  public Optional<StoredDefinition> latest(String type) {
    return jdbc.run(
        "find a definition",
        session -> session.first(LATEST, Params.of("type", type), RowMappers::definition));
  }

  @Override
  public Optional<StoredDefinition> find(String type, int version) {
    return jdbc.run(
        "find a definition",
        session ->
            session.first(
                FIND, Params.of("type", type).set("version", version), RowMappers::definition));
  }

  @Override
  public List<StoredDefinition> list() {
    return jdbc.run(
        "list definitions", session -> session.query(LIST, Params.none(), RowMappers::definition));
  }
}
