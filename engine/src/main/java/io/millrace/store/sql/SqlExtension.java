package io.millrace.store.sql;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The tables of a feature beside those of the core: their migrations, the roles of the store that
 * read and write them, and their part in the core's transactions.
 */
public final class SqlExtension {

  private static final Comparator<SqlExtension> BY_NEEDS =
      Comparator.comparingInt(SqlExtension::needsInARow);

  /** The order in which tables are created: those of a feature after those that it needs. */
  static final Comparator<SqlExtension> CREATION_ORDER = BY_NEEDS.thenComparing(SqlExtension::name);

  /**
   * The order in which hooks of one kind run, which must be the same in all engines: a feature
   * before those that it needs, since its own transactions lock its rows before theirs.
   */
  static final Comparator<SqlExtension> LOCK_ORDER =
      BY_NEEDS.reversed().thenComparing(SqlExtension::name);

  /** Prefix of the components in {@code millrace_schema}. */
  static final String COMPONENT = Schema.COMPONENT + ".";

  private final String name;
  private final Migrations migrations;
  private final List<SqlExtension> needs;
  private final Consumer<SqlHooks.Builder> hooks;

  /**
   * @param name of the feature; unique, and never changed
   * @param file the file of migrations, beside that of the core
   * @param needs the features whose tables it uses
   */
  SqlExtension(
      String name, String file, List<SqlExtension> needs, Consumer<SqlHooks.Builder> hooks) {
    this.name = name;
    this.migrations = Schema.migrations(component(), file);
    this.needs = List.copyOf(needs);
    this.hooks = hooks;
  }

  /**
   * Checks that a store can be opened with these extensions alone.
   *
   * @throws IllegalArgumentException if one occurs twice, or lacks another that it needs
   */
  static void check(List<SqlExtension> extensions) {
    Set<String> names = new HashSet<>();
    for (SqlExtension extension : extensions) {
      if (!names.add(extension.name)) {
        throw new IllegalArgumentException(
            "The tables of '" + extension.name + "' are given twice. Give them once.");
      }
    }
    for (SqlExtension extension : extensions) {
      for (SqlExtension needed : extension.needs) {
        if (!names.contains(needed.name)) {
          throw new IllegalArgumentException(
              "The tables of '"
                  + extension.name
                  + "' need those of '"
                  + needed.name
                  + "', which are not among the given ones. Give the tables of '"
                  + needed.name
                  + "' too.");
        }
      }
    }
  }

  /** Returns the length of the longest chain of needs from here; 0 without any. */
  private int needsInARow() {
    return needs.stream().mapToInt(needed -> needed.needsInARow() + 1).max().orElse(0);
  }

  String name() {
    return name;
  }

  /** Returns the component in {@code millrace_schema}. */
  String component() {
    return COMPONENT + name;
  }

  Migrations migrations() {
    return migrations;
  }

  void register(SqlHooks.Builder builder) {
    hooks.accept(builder);
  }
}
