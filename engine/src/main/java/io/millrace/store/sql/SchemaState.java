package io.millrace.store.sql;

import io.millrace.store.StoreException;
import io.millrace.store.sql.SchemaHistory.AppliedMigration;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The tables of components in a database, compared with their migrations.
 *
 * @param due migrations to apply, in order
 * @param begun rows of migrations that have not been finished
 * @param cause the reason why the tables cannot be used as they are; null if they can
 * @param newer true if a newer program made the tables
 */
record SchemaState(
    List<Migration> due,
    List<AppliedMigration> begun,
    @Nullable StoreException cause,
    boolean newer) {

  /** Returns true if the tables are those of this version. */
  boolean isCurrent() {
    return cause == null;
  }

  /** Returns true if due migrations may be applied. */
  boolean isDue() {
    return !due.isEmpty();
  }

  StoreException problem() {
    return Objects.requireNonNull(cause);
  }

  /** Reads the state. One statement is enough if the tables are current. */
  static SchemaState read(Jdbc jdbc, Migrations migrations) {
    String database = jdbc.dialect().name();
    Set<String> relations = TableConflictCheck.relations(migrations.text(database));
    try {
      List<AppliedMigration> rows =
          jdbc.run(
              "show which tables it has",
              session -> SchemaHistory.read(session, migrations.components(), relations));
      SchemaState state = compare(migrations, database, rows);
      if (state.isCurrent() || state.due.isEmpty()) {
        return state;
      }
    } catch (StoreException e) {
      if (SchemaErrors.isMissingRight(e)) {
        return refused(SchemaErrors.mayNotUse(e, jdbc.dialect(), migrations));
      }
      if (!e.rejected()) {
        throw e;
      }
      return withoutProbe(jdbc, migrations, relations);
    }
    return jdbc.run("show its tables", session -> examine(session, migrations));
  }

  /** Tells missing tables apart from a missing history. */
  private static SchemaState withoutProbe(Jdbc jdbc, Migrations migrations, Set<String> relations) {
    SchemaState state = jdbc.run("show its tables", session -> examine(session, migrations));
    if (!state.isCurrent()) {
      return state;
    }
    try {
      // Another node may have created the tables since they were missing.
      jdbc.run(
          "show which tables it has",
          session -> SchemaHistory.read(session, migrations.components(), relations));
      return state;
    } catch (StoreException e) {
      if (!e.rejected()) {
        throw e;
      }
      return refused(SchemaErrors.incomplete(e, migrations));
    }
  }

  /**
   * Reads the state and looks for tables that are in the way. Needs no history, and does not look
   * for missing tables.
   */
  static SchemaState examine(SqlSession session, Migrations migrations) throws SQLException {
    String database = session.dialect().name();
    String schema = session.connection().getSchema();
    if (schema == null) {
      return refused(SchemaErrors.noSchema(session, migrations));
    }
    TableConflictCheck check = TableConflictCheck.of(session, schema, migrations);
    Optional<String> foreign = check.foreign();
    if (foreign.isPresent()) {
      return refused(new StoreException(foreign.get(), true, null));
    }
    // Read after the tables: a migration of another process records itself before it creates any.
    List<AppliedMigration> rows =
        check.hasHistory()
            ? SchemaHistory.read(session, migrations.components(), Set.of())
            : List.of();
    for (String component : migrations.components()) {
      if (of(component, rows).isEmpty()) {
        Optional<String> former = check.former(migrations.list(database, component));
        if (former.isPresent()) {
          return refused(SchemaErrors.former(schema, former.get()));
        }
      }
    }
    return compare(migrations, database, rows);
  }

  private static SchemaState refused(StoreException problem) {
    return new SchemaState(List.of(), List.of(), problem, false);
  }

  private static Map<Integer, AppliedMigration> of(String component, List<AppliedMigration> rows) {
    return rows.stream()
        .filter(row -> row.component().equals(component))
        .collect(Collectors.toMap(AppliedMigration::version, Function.identity()));
  }

  private static SchemaState compare(
      Migrations migrations, String database, List<AppliedMigration> rows) {
    List<Migration> due = new ArrayList<>();
    List<AppliedMigration> begun = new ArrayList<>();
    for (String component : migrations.components()) {
      Map<Integer, AppliedMigration> applied = of(component, rows);
      int last = applied.keySet().stream().mapToInt(version -> version).max().orElse(0);
      List<Migration> own = migrations.list(database, component);
      int newest = own.getLast().version();
      if (last > newest) {
        return new SchemaState(
            List.of(), List.of(), SchemaErrors.newer(migrations, last, newest), true);
      }
      for (Migration migration : own) {
        AppliedMigration row = applied.get(migration.version());
        if (row == null && migration.version() < last) {
          return refused(SchemaErrors.skipped(migrations, migration, last));
        }
        if (row != null && !row.checksum().equals(migration.checksum())) {
          return refused(SchemaErrors.changed(migrations, migration, row));
        }
        if (row == null || row.begun()) {
          due.add(migration);
        }
        if (row != null && row.begun()) {
          begun.add(row);
        }
      }
    }
    return new SchemaState(
        List.copyOf(due),
        List.copyOf(begun),
        due.isEmpty() ? null : SchemaErrors.due(migrations, database, due, begun),
        false);
  }
}
