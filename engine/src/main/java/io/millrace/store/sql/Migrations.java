package io.millrace.store.sql;

import io.millrace.store.StoreException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The migrations of a component, which create and update its tables. All components record their
 * migrations in the table {@code millrace_schema}. Thread-safe.
 */
public final class Migrations {

  private static final Logger LOG = LoggerFactory.getLogger(Migrations.class);
  private static final String DATABASE = "{database}";

  private final String component;
  private final String tables;
  private final ClassLoader loader;
  private final String folder;
  private final List<String> files;
  private final @Nullable String printMethod;
  private final Map<String, List<Migration>> migrations = new ConcurrentHashMap<>();

  private Migrations(
      String component,
      String tables,
      ClassLoader loader,
      String folder,
      List<String> files,
      @Nullable String printMethod) {
    this.component = component;
    this.tables = tables;
    this.loader = loader;
    this.folder = folder;
    this.files = List.copyOf(files);
    this.printMethod = printMethod;
  }

  /**
   * Describes the migrations of a component.
   *
   * @param component its name in {@code millrace_schema}, which never changes
   * @param tables its tables in messages, for example "the tables of the accounts"
   * @param owner a class beside which the files are found
   * @param folder the folder of the files on the class path, with a slash at its end; {@code
   *     {database}} stands for {@code postgresql} or {@code h2}
   * @param files names such as {@code V1__tables.sql}, in the order of their versions. On H2 each
   *     statement must be repeatable, or create something that a repetition finds.
   */
  public static Migrations of(
      String component, String tables, Class<?> owner, String folder, List<String> files) {
    return new Migrations(component, tables, owner.getClassLoader(), folder, files, null);
  }

  /**
   * Returns these migrations with the method that prints them, for messages to programs without the
   * command {@code millrace}.
   *
   * @param method for example {@code SqlStore.printSchema}; takes the name of the database
   */
  public Migrations printedBy(String method) {
    return new Migrations(component, tables, loader, folder, files, method);
  }

  /**
   * Creates, updates or checks the tables. Several processes may do so at the same time; one
   * applies the migrations and the others wait.
   *
   * @throws StoreException if the tables are not those of this version afterwards
   */
  public void apply(DataSource pool, SchemaMode mode) {
    apply(new Jdbc(pool, Dialects.detect(pool), null), mode, SchemaWait.DEFAULT);
  }

  void apply(Jdbc jdbc, SchemaMode mode, SchemaWait wait) {
    if (mode == SchemaMode.NONE) {
      return;
    }
    SchemaState state = SchemaState.read(jdbc, this);
    if (state.isCurrent()) {
      return;
    }
    if (mode == SchemaMode.VALIDATE || !state.isDue()) {
      throw state.problem();
    }
    try {
      jdbc.dialect().migrate(jdbc, this, wait);
    } catch (StoreException e) {
      throw SchemaErrors.explained(e, jdbc.dialect(), this);
    }
    LOG.info("Brought {} up to date version={}", tables, newest(jdbc.dialect().name()));
  }

  /**
   * Returns the SQL that creates the tables and records that it did.
   *
   * @param database {@code postgresql} or {@code h2}
   */
  public String print(String database) {
    String name = Dialects.named(database).name();
    return list(name).stream()
        .map(migration ->
            "-- "
                + migration.file()
                + "\n"
                + SqlStatements.withoutComments(migration.text())
                + SchemaHistory.print(component, migration))
        .collect(Collectors.joining("\n", SchemaHistory.CREATE + ";\n\n", ""));
  }

  String component() {
    return component;
  }

  String tables() {
    return tables;
  }

  /** Returns the method that prints the tables; null if programs have none. */
  @Nullable String printMethod() {
    return printMethod;
  }

  /** Returns the migrations for a database, in the order of their versions. */
  List<Migration> list(String database) {
    return migrations.computeIfAbsent(
        database,
        name ->
            files.stream()
                .map(file -> Migration.read(loader, folder.replace(DATABASE, name), file))
                .toList());
  }

  int newest(String database) {
    return list(database).getLast().version();
  }

  /** Returns the text of all migrations. */
  String text(String database) {
    return list(database).stream().map(Migration::text).collect(Collectors.joining("\n"));
  }
}
