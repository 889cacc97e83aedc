package io.millrace.store.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The tables with all rows of instances, their copies in the archive, and the statements that
 * archive and delete them.
 */
final class RemovalTables {

  /** An action of retention on an instance, as stored. */
  enum Removal {
    ARCHIVE("archive", "archive instances"),
    DELETE("delete", "delete instances"),
    DELETE_ARCHIVED("deleteArchived", "delete archived instances");

    final String code;

    /** The action's text for messages. */
    final String action;

    Removal(String code, String action) {
      this.code = code;
      this.action = action;
    }

    static Removal of(String code) {
      for (Removal removal : values()) {
        if (removal.code.equals(code)) {
          return removal;
        }
      }
      throw new IllegalStateException(
          "millrace_removal has the unknown kind '" + code + "'; a newer version wrote it.");
    }
  }

  /**
   * A table.
   *
   * @param archive its copy; null for rows that are deleted when their instance is archived
   * @param owner the column with the id of the instance
   * @param key the columns that distinguish the rows of one instance
   */
  private record Table(
      String live, @Nullable String archive, String owner, String key, String columns) {

    @Nullable String source(Removal removal) {
      return removal == Removal.DELETE_ARCHIVED ? archive : live;
    }

    Statements statements(Removal removal, String source, Dialect dialect) {
      boolean copied = removal == Removal.ARCHIVE && archive != null;
      String copy =
          "INSERT INTO " + archive + " (" + columns + ") SELECT " + columns + " FROM " + live;
      String all = " WHERE " + owner + " = ANY(CAST(:ids AS bigint ARRAY))";
      String first = first(owner, key);
      return new Statements(
          copied ? copy + all : null,
          "DELETE FROM " + source + all,
          copied ? copy + first : null,
          dialect.deletePart(source, owner, key));
    }
  }

  /**
   * The statements of a removal for one table.
   *
   * @param copyAll copies all rows of some instances into the archive; null if they are not
   *     archived
   * @param deleteAll deletes all rows of some instances
   * @param copyPart copies the first {@code :rows} rows of one instance; null if they are not
   *     archived
   * @param deletePart deletes the first {@code :rows} rows of one instance
   */
  record Statements(
      @Nullable String copyAll, String deleteAll, @Nullable String copyPart, String deletePart) {}

  private static final Table INSTANCES =
      new Table(
          "millrace_instance",
          "millrace_archive_instance",
          "id",
          "id",
          """
          id, type, version, definition_id, executor_group, priority, business_key, external_id,
          parent_id, payload_hash, input, state, status, reason, entered_seq, next_activation_at,
          waiting_for, wait_until, wake_at, executor_id, lease_version, seq, attempt,
          recovery_count, created_at, modified_at, entered_at, ended_at, child_count, open_child_count,
          failed_child_count, variable_count, inbox_count, steps_seq, progress_done, progress_total,
          progress_text, failure_fingerprint
          """);

  /**
   * Tables of the rows of instances. Log lines are not archived, since they are useful only while
   * the instance is in the live tables.
   */
  private static final List<Table> PARTS =
      List.of(
          new Table(
              "millrace_history",
              "millrace_archive_history",
              "instance_id",
              "seq",
              RowMappers.HISTORY),
          new Table(
              "millrace_variable",
              "millrace_archive_variable",
              "instance_id",
              "name",
              "instance_id, name, \"value\", search_value"),
          new Table(
              "millrace_message",
              "millrace_archive_message",
              "instance_id",
              "id",
              RowMappers.INBOX_MESSAGE + ", dedupe_key"),
          new Table(
              "millrace_step",
              "millrace_archive_step",
              "instance_id",
              "entered_seq, name",
              "instance_id, entered_seq, name, result, created_at"),
          new Table("millrace_log", null, "instance_id", "id", ""));

  /** The statements of a removal. */
  record Plan(Statements instances, List<Statements> parts, String count, String source) {

    /**
     * Returns all statements, those of the instances first, so that what is removed in parts is
     * missing from all reads.
     */
    List<Statements> all() {
      List<Statements> all = new ArrayList<>(parts);
      all.addFirst(instances);
      return all;
    }
  }

  private RemovalTables() {}

  /** Returns the end of a query for the first {@code :rows} rows of the owner {@code :id}. */
  static String first(String owner, String key) {
    return " WHERE " + owner + " = :id ORDER BY " + key + " LIMIT :rows";
  }

  static Plan plan(Removal removal, Dialect dialect) {
    List<Statements> parts = new ArrayList<>();
    List<String> sources = new ArrayList<>();
    for (Table table : PARTS) {
      String source = table.source(removal);
      if (source != null) {
        parts.add(table.statements(removal, source, dialect));
        sources.add(source);
      }
    }
    String instances = String.valueOf(INSTANCES.source(removal));
    return new Plan(
        INSTANCES.statements(removal, instances, dialect),
        List.copyOf(parts),
        count(sources, dialect),
        instances);
  }

  /**
   * Returns a query that counts the rows of each of some instances, up to {@code :most} if the
   * database can stop there.
   */
  private static String count(List<String> sources, Dialect dialect) {
    return sources.stream()
        .map(source -> {
          String rows = " FROM " + source + " r WHERE r.instance_id = i.id";
          return dialect.hasCorrelatedFrom()
              ? "(SELECT COUNT(*) FROM (SELECT 1" + rows + " LIMIT :most) counted)"
              : "(SELECT COUNT(*)" + rows + ")";
        })
        .collect(
            Collectors.joining(
                " + ",
                "SELECT i.id, ",
                " AS total FROM UNNEST(CAST(:ids AS bigint ARRAY)) AS i(id)"));
  }
}
