package io.millrace.store.sql;

import io.millrace.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The migrations of one or more components, which create and update their tables. All components
 * record their migrations in the table {@code millrace_schema}. Thread-safe.
 */
public final class Migrations {

  private static final Logger LOG = LoggerFactory.getLogger(Migrations.class);
  private static final String DATABASE = "{database}";

  private record Component(String name, ClassLoader loader, String folder, List<String> files) {
    List<Migration> read(String database) {
      return files.stream()
          .map(file -> Migration.read(name, loader, folder.replace(DATABASE, database), file))
          .toList();
    }
  }

  private final String tables;
  private final List<Component> components;
  private final @Nullable String printMethod;
  private final Map<String, List<Migration>> migrations = new ConcurrentHashMap<>();

  private Migrations(String tables, List<Component> components, @Nullable String printMethod) {
    this.tables = tables;
    this.components = List.copyOf(components);
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
    return new Migrations(
        tables,
        List.of(new Component(component, owner.getClassLoader(), folder, List.copyOf(files))),
        null);
  }

  /**
   * Returns these migrations with the method that prints them, for messages to programs without the
   * command {@code millrace}.
   *
   * @param method for example {@code SqlStore.printSchema}; takes the name of the database
   */
  public Migrations printedBy(String method) {
    return new Migrations(tables, components, method);
  }

  /**
   * Returns these migrations and those of other components, which are applied after them in one
   * step. Messages speak of the tables of these.
   */
  Migrations with(List<Migrations> others) {
    List<Component> all = new ArrayList<>(components);
    others.forEach(other -> all.addAll(other.components));
    return new Migrations(tables, all, printMethod);
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
    LOG.info("Brought {} up to date version={}", tables, versions(jdbc.dialect().name()));
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
                + SchemaHistory.print(migration))
        .collect(Collectors.joining("\n", SchemaHistory.CREATE + ";\n\n", ""));
  }

  /** Returns the names of the components, in the order of their migrations. */
  List<String> components() {
    return components.stream().map(Component::name).toList();
  }

  String tables() {
    return tables;
  }

  /** Returns the method that prints the tables; null if programs have none. */
  @Nullable String printMethod() {
    return printMethod;
  }

  /** Returns the migrations for a database, by component and then by version. */
  List<Migration> list(String database) {
    return migrations.computeIfAbsent(
        database,
        name -> components.stream().flatMap(component -> component.read(name).stream()).toList());
  }

  /** Returns the migrations of one component for a database, in the order of their versions. */
  List<Migration> list(String database, String component) {
    return list(database).stream()
        .filter(migration -> migration.component().equals(component))
        .toList();
  }

  /** Returns the newest version of each component, for messages. */
  String versions(String database) {
    return components().stream()
        .map(component -> component + " " + list(database, component).getLast().version())
        .collect(Collectors.joining(", "));
  }

  /** Returns the text of all migrations. */
  String text(String database) {
    return text(list(database));
  }

  static String text(List<Migration> migrations) {
    return migrations.stream().map(Migration::text).collect(Collectors.joining("\n"));
  }
}
