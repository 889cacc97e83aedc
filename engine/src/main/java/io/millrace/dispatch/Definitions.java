package io.millrace.dispatch;

import io.millrace.codec.Codec;
import io.millrace.definition.DefinitionDocument;
import io.millrace.definition.DefinitionException;
import io.millrace.definition.Secrecy;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.store.DefinitionStore;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The definitions whose code this engine has, and their numbers in the store. */
public final class Definitions {

  private static final Logger LOG = LoggerFactory.getLogger(Definitions.class);

  private record Key(String type, int version) {}

  private final Map<Key, WorkflowDefinition> byKey = new HashMap<>();
  private final Map<Key, Integer> ids = new HashMap<>();

  /** Stores what any node shall be able to show of {@code definitions}. */
  public Definitions(
      Collection<WorkflowDefinition> definitions, DefinitionStore store, Values values) {
    for (WorkflowDefinition definition : definitions) {
      checkKey(definition, values);
      Key key = new Key(definition.type(), definition.version());
      if (byKey.putIfAbsent(key, definition) != null) {
        throw new DefinitionException(
            "Workflow "
                + definition
                + " is registered twice; give the second one another type or version.");
      }
      ids.put(key, save(definition, store, values.codec()));
    }
  }

  private static void checkKey(WorkflowDefinition definition, Values values) {
    Secrecy secrecy = definition.secrecy();
    if (secrecy.any() && !values.hasKey()) {
      throw new DefinitionException(
          "Workflow "
              + definition
              + " has secrets ("
              + (secrecy.input() ? "its input, " : "")
              + "variables "
              + secrecy.variables()
              + "), but the engine has no key to store them with. Call secretKey(SecretKeys.of(id, key)) on the"
              + " engine's builder, with the same key on every node.");
    }
  }

  /** What of the instances of a stored definition is secret. */
  public static Secrecy secrecy(DefinitionStore.StoredDefinition stored, Values values) {
    return values.codec().decode(stored.document(), DefinitionDocument.class).secrecy();
  }

  private static int save(WorkflowDefinition definition, DefinitionStore store, Codec codec) {
    String document = codec.encode(DefinitionDocument.of(definition));
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

  /** The definition; null when this engine lacks it. */
  public @Nullable WorkflowDefinition find(String type, int version) {
    return byKey.get(new Key(type, version));
  }

  /** The newest version this engine has; null when it lacks the type. */
  public @Nullable WorkflowDefinition latest(String type) {
    return byKey.values().stream()
        .filter(d -> d.type().equals(type))
        .max(Comparator.comparingInt(WorkflowDefinition::version))
        .orElse(null);
  }

  /** The stored number of a definition that this engine has; null when it lacks it. */
  public @Nullable Integer id(String type, int version) {
    return ids.get(new Key(type, version));
  }

  Collection<WorkflowDefinition> all() {
    return byKey.values();
  }

  /** The stored numbers of all. */
  public List<Integer> ids() {
    return ids.values().stream().sorted().toList();
  }
}
