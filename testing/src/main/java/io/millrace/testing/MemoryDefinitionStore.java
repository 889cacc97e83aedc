package io.millrace.testing;

import io.millrace.store.DefinitionStore;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Definitions in memory. */
final class MemoryDefinitionStore implements DefinitionStore {

  private static final Comparator<StoredDefinition> ORDER =
      Comparator.comparing(StoredDefinition::type).thenComparingInt(StoredDefinition::version);

  private final MemoryTables tables;

  MemoryDefinitionStore(MemoryTables tables) {
    this.tables = tables;
  }

  @Override
  public Saved save(String type, int version, String hash, String document) {
    return tables.transaction(now -> {
      Optional<StoredDefinition> stored = find(type, version);
      if (stored.isPresent() && stored.get().hash().equals(hash)) {
        return new Saved(stored.get().id(), false);
      }
      int id = stored.map(StoredDefinition::id).orElse(tables.definitions.size() + 1);
      tables.definitions.put(id, new StoredDefinition(id, type, version, hash, document));
      return new Saved(id, stored.isPresent());
    });
  }

  @Override
  public Optional<StoredDefinition> latest(String type) {
    return list().stream().filter(d -> d.type().equals(type)).reduce((lower, higher) -> higher);
  }

  @Override
  public Optional<StoredDefinition> find(String type, int version) {
    return list().stream().filter(d -> d.type().equals(type) && d.version() == version).findFirst();
  }

  @Override
  public List<StoredDefinition> list() {
    return tables.transaction(now -> tables.definitions.values().stream().sorted(ORDER).toList());
  }
}
