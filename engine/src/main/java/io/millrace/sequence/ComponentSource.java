package io.millrace.sequence;

import org.jspecify.annotations.Nullable;

/** A source of task classes, for example a folder of jars. Thread-safe. */
@FunctionalInterface
public interface ComponentSource {

  /** Returns the class of this name; null if it is not here, which may change. */
  @Nullable Class<?> find(String className);

  /** Returns a source of the classes that {@code loader} sees. */
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
