package io.millrace.sequence;

import org.jspecify.annotations.Nullable;

/** A source of classes of tasks, for example a folder of jars. Thread-safe. */
@FunctionalInterface
public interface ComponentSource {

  /** The class of this name; null when it is not here, which may change. */
  @Nullable Class<?> find(String className);

  /** The classes that {@code loader} sees. */
  static ComponentSource of(ClassLoader loader) {
    return className -> {
      try {
        return Class.forName(className, false, loader);
      } catch (ClassNotFoundException | LinkageError e) {
        return null;
      }
    };
  }
}
