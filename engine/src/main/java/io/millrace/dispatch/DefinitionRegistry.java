package io.millrace.dispatch;

import io.millrace.definition.DefinitionDocument;
import io.millrace.definition.DefinitionException;
import io.millrace.definition.SecretFields;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.store.DefinitionStore;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The definitions whose code this engine has, and their numbers in the store. Thread-safe. */
public final class DefinitionRegistry {

  private static final Logger LOG = LoggerFactory.getLogger(DefinitionRegistry.class);

  private record Key(String type, int version) {}

  private final Map<Key, WorkflowDefinition> byKey = new ConcurrentHashMap<>();
  private final Map<Key, Integer> ids = new ConcurrentHashMap<>();
  private final Map<Key, UnrunnableDefinition> unrunnable = new ConcurrentHashMap<>();
  private final DefinitionStore store;
  private final ValueSerializer values;
  private volatile List<Integer> sortedIds = List.of();

  /** Stores the definitions, so that any node can show them. */
  public DefinitionRegistry(
      Collection<WorkflowDefinition> definitions, DefinitionStore store, ValueSerializer values) {
    this.store = store;
    this.values = values;
    for (WorkflowDefinition definition : definitions) {
      if (!add(definition)) {
        throw new DefinitionException(
            "Workflow "
                + definition
                + " is registered twice; give the second one another type or version.");
      }
    }
  }

  /**
   * Adds a definition while the engine runs.
   *
   * @return false if a definition of this type and version exists already, which stays
   */
  public synchronized boolean add(WorkflowDefinition definition) {
    checkKey(definition, values);
    Key key = new Key(definition.type(), definition.version());
    if (byKey.containsKey(key)) {
      return false;
    }
    ids.put(key, save(definition, store));
    byKey.put(key, definition);
    sortedIds = ids.values().stream().sorted().toList();
    return true;
  }

  /** Stores a definition that this engine cannot run, so that any node can show it. */
  public void storeDefinition(WorkflowDefinition definition) {
    int id = save(definition, store);
    unrunnable.put(
        new Key(definition.type(), definition.version()), new UnrunnableDefinition(id, definition));
  }

  /** Returns a definition that is only stored here; null if there is none. */
  @Nullable UnrunnableDefinition unrunnable(String type, int version) {
    return unrunnable.get(new Key(type, version));
  }

  /** A stored definition that this engine cannot run. */
  record UnrunnableDefinition(int id, WorkflowDefinition definition) {}

  private static void checkKey(WorkflowDefinition definition, ValueSerializer values) {
    SecretFields secretFields = definition.secretFields();
    if (secretFields.any() && !values.hasKey()) {
      throw new DefinitionException(
          "Workflow "
              + definition
              + " has secrets ("
              + (secretFields.input() ? "its input, " : "")
              + "variables "
              + secretFields.variables()
              + "), but the engine has no key to store them with. Call secretKey(SecretKeys.of(id, key)) on the"
              + " engine's builder, with the same key on every node.");
    }
  }

  /** Returns the secret fields of a definition, which may be known to other engines only. */
  SecretFields secrecy(String type, int version) {
    WorkflowDefinition known = find(type, version);
    return known != null
        ? known.secretFields()
        : store.find(type, version).map(DefinitionRegistry::secrecy).orElse(SecretFields.NONE);
  }

  /** Returns the secret fields of a stored definition. */
  public static SecretFields secrecy(DefinitionStore.StoredDefinition stored) {
    return DefinitionDocument.parse(stored.document()).secrecy();
  }

  private static int save(WorkflowDefinition definition, DefinitionStore store) {
    String document = DefinitionDocument.of(definition).json();
    DefinitionStore.Saved saved =
        store.save(definition.type(), definition.version(), hash(document), document);
    if (saved.replaced()) {
      LOG.warn(
          "Workflow {} differs from the stored definition of the same version; its running instances go on with the"
              + " new code. Raise the version to keep them on the old one.",
          definition);
    }
    return saved.id();
  }

  private static String hash(String document) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(document.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java runtime has SHA-256", e);
    }
  }

  /** Returns the definition; null if this engine lacks it. */
  public @Nullable WorkflowDefinition find(String type, int version) {
    return byKey.get(new Key(type, version));
  }

  /** Returns the newest version that this engine has; null if it lacks the type. */
  public @Nullable WorkflowDefinition latest(String type) {
    return byKey.values().stream()
        .filter(d -> d.type().equals(type))
        .max(Comparator.comparingInt(WorkflowDefinition::version))
        .orElse(null);
  }

  /** Returns the stored number of a definition that this engine has; null if it lacks it. */
  public @Nullable Integer id(String type, int version) {
    return ids.get(new Key(type, version));
  }

  Collection<WorkflowDefinition> all() {
    return byKey.values();
  }

  /** Returns the stored numbers of all definitions. */
  public List<Integer> ids() {
    return sortedIds;
  }
}
