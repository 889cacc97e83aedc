package io.millrace.extension;

import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.InvalidRequestException;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.store.Store;
import java.util.List;

/**
 * A feature of an engine beside the core, which an application adds with {@code
 * EngineBuilder.with(...)}. The modules of Millrace implement it; for others it may change.
 */
public interface EngineExtension {

  /** Returns the feature's name, which its tables have as well. */
  String name();

  /**
   * Returns the features that this one uses. Another of the same name that the application has
   * added takes their place.
   */
  default List<EngineExtension> needs() {
    return List.of();
  }

  /**
   * Returns this feature together with another of the same name.
   *
   * @throws InvalidRequestException if it can be added only once
   */
  default EngineExtension plus(EngineExtension same) {
    throw new InvalidRequestException(
        "The feature '" + name() + "' was added to the engine twice, expected once.");
  }

  /** Returns the definitions that the engine runs for this feature. */
  default List<WorkflowDefinition> definitions(EngineSettings settings, Store store) {
    return List.of();
  }

  /**
   * Checks the definitions of the engine before they are registered.
   *
   * @throws io.millrace.instance.MillraceException if one of them cannot be used beside this
   *     feature
   */
  default void check(List<WorkflowDefinition> definitions, Store store) {}

  /** Returns true if messages tell an engine which instances it can claim. */
  default boolean handsOver() {
    return false;
  }

  /** Creates what runs in an engine, before the engine has an executor. Nothing runs yet. */
  EnginePart part(EngineServices engine);
}
