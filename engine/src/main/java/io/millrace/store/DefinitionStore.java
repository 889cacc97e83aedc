package io.millrace.store;

import java.util.List;
import java.util.Optional;

/** Definitions as data, so that nodes without the code can show them and start their instances. */
public interface DefinitionStore {

  /**
   * Stores a definition, or replaces the stored one of the same type and version if the hash
   * differs.
   *
   * @param document JSON text
   * @return the stored definition and whether it replaced another one
   */
  Saved save(String type, int version, String hash, String document);

  /** Returns the definition with the highest version. */
  Optional<StoredDefinition> latest(String type);

  Optional<StoredDefinition> find(String type, int version);

  /** Returns all definitions by type and version. */
  List<StoredDefinition> list();

  /**
   * A definition as stored.
   *
   * @param id short number used in claims
   * @param document JSON text
   */
  record StoredDefinition(int id, String type, int version, String hash, String document) {}

  /** The result of {@link #save}. */
  record Saved(int id, boolean replaced) {}
}
