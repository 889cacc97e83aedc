package io.millrace.store.sql;

import java.util.function.Consumer;

/**
 * The tables of a feature beside those of the core: their migrations, the roles of the store that
 * read and write them, and their part in the core's transactions.
 */
public final class SqlExtension {

  /** Prefix of the components in {@code millrace_schema}. */
  private static final String COMPONENT = Schema.COMPONENT + ".";

  private final String name;
  private final Migrations migrations;
  private final Consumer<SqlHooks.Builder> hooks;

  /**
   * @param name of the feature; unique, and the order of the features' hooks
   * @param file the file of migrations, beside that of the core
   */
  SqlExtension(String name, String file, Consumer<SqlHooks.Builder> hooks) {
    this.name = name;
    this.migrations = Schema.migrations(COMPONENT + name, file);
    this.hooks = hooks;
  }

  String name() {
    return name;
  }

  Migrations migrations() {
    return migrations;
  }

  void register(SqlHooks.Builder builder) {
    hooks.accept(builder);
  }
}
