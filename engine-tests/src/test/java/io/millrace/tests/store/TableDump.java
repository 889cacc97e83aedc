package io.millrace.tests.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * The content of all tables, comparable with that at another time: ids are replaced by ranks,
 * because a transaction that was rolled back has used up ids.
 */
record TableDump(Map<String, List<Map<String, Object>>> tables) {

  /** Name of a table whose rows are part of the schema. */
  private static final String MARKS = "millrace_mark";

  private static final List<String> NAMES =
      List.of(
          "millrace_definition",
          "millrace_executor",
          "millrace_instance",
          "millrace_history",
          "millrace_variable",
          "millrace_message",
          "millrace_step",
          "millrace_log",
          "millrace_archive_instance",
          "millrace_archive_history",
          "millrace_archive_variable",
          "millrace_archive_message",
          "millrace_archive_step",
          "millrace_removal",
          "millrace_audit",
          "millrace_change",
          "millrace_statistics",
          "millrace_sequence_task",
          "millrace_task",
          "millrace_slot_record",
          "millrace_sequence",
          "millrace_sequence_removal",
          "millrace_sequence_type",
          "millrace_compiled_state",
          "millrace_compiled_sequence",
          "millrace_outbox",
          "millrace_continuous_workflow",
          "millrace_continuous_log",
          "millrace_continuous_removal",
          "millrace_offered_event",
          "millrace_trigger_memory",
          "millrace_key_value",
          "millrace_period_ledger",
          "millrace_reduce_record",
          "millrace_reduce_group",
          MARKS);

  private static final String FILLED =
      NAMES.stream()
          .map("EXISTS (SELECT 1 FROM %s)"::formatted)
          .collect(Collectors.joining(", ", "SELECT ", ""));

  /** Pattern of ids within texts, which depend on earlier rollbacks. */
  private static final Pattern ID = Pattern.compile("([Ee]xecutor|instance) \\d+");

  /** Reads all tables. */
  static TableDump of(DataSource database) {
    Map<String, List<Map<String, Object>>> tables = new TreeMap<>();
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      NAMES.forEach(name -> tables.put(name, new ArrayList<>()));
      for (String name : filled(statement)) {
        try (ResultSet rows = statement.executeQuery("SELECT * FROM " + name)) {
          tables.put(name, read(rows));
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return new TableDump(ranked(tables));
  }

  /** Empties all tables. */
  static void clear(DataSource database) {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      for (String name : filled(statement)) {
        statement.addBatch(
            name.equals(MARKS)
                ? "UPDATE millrace_mark SET reached_at = NULL, position = 0"
                : "DELETE FROM " + name);
      }
      statement.executeBatch();
      connection.commit();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Returns the names of tables with rows; most tables are empty in most dumps, of which there are
   * tens of thousands.
   */
  private static List<String> filled(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery(FILLED)) {
      row.next();
      List<String> filled = new ArrayList<>();
      for (int i = 0; i < NAMES.size(); i++) {
        if (row.getBoolean(i + 1)) {
          filled.add(NAMES.get(i));
        }
      }
      return filled;
    }
  }

  /** Returns this dump without some tables and columns. */
  TableDump without(Set<String> names) {
    Map<String, List<Map<String, Object>>> rest = new TreeMap<>(tables);
    rest.keySet().removeAll(names);
    rest.replaceAll((table, rows) -> rows.stream().map(row -> without(row, names)).toList());
    return new TableDump(rest);
  }

  private static Map<String, Object> without(Map<String, Object> row, Set<String> names) {
    Map<String, Object> rest = new TreeMap<>(row);
    rest.keySet().removeAll(names);
    return rest;
  }

  private static List<Map<String, Object>> read(ResultSet rows) throws SQLException {
    List<Map<String, Object>> all = new ArrayList<>();
    ResultSetMetaData columns = rows.getMetaData();
    while (rows.next()) {
      Map<String, Object> row = new TreeMap<>();
      for (int i = 1; i <= columns.getColumnCount(); i++) {
        String value = rows.getString(i);
        row.put(
            columns.getColumnLabel(i).toLowerCase(Locale.ROOT),
            value == null ? null : ID.matcher(value).replaceAll("$1 n"));
      }
      row.remove("definition_ids");
      row.remove("incarnation");
      all.add(row);
    }
    return all;
  }

  private static Map<String, List<Map<String, Object>>> ranked(
      Map<String, List<Map<String, Object>>> tables) {
    Map<String, TreeSet<Long>> ids = new HashMap<>();
    tables.forEach((table, rows) ->
        rows.forEach(row ->
            row.forEach((column, value) -> {
              String kind = kind(table, column);
              if (kind != null && value != null) {
                ids.computeIfAbsent(kind, k -> new TreeSet<>()).add(Long.valueOf((String) value));
              }
            })));
    tables.forEach((table, rows) -> {
      rows.forEach(row ->
          row.replaceAll((column, value) -> {
            String kind = kind(table, column);
            return kind == null || value == null
                ? value
                : kind + " " + rank(ids.get(kind), (String) value);
          }));
      rows.sort(Comparator.comparing(Object::toString));
    });
    return tables;
  }

  private static int rank(Collection<Long> ids, String id) {
    return List.copyOf(ids).indexOf(Long.valueOf(id));
  }

  /** Returns the kind of ids that a column holds; null if it holds no ids. */
  private static String kind(String table, String column) {
    return switch (column) {
      case "instance_id", "parent_id", "execution_id" -> "instance";
      case "task_id", "next_task_id" -> "task";
      case "executor_id", "preferred_executor_id" -> "executor";
      case "definition_id" -> "definition";
      case "group_id" -> "group";
      case "position" ->
          table.equals("millrace_sequence_task") || table.equals("millrace_compiled_state")
              ? null
              : "position";
      case "id" ->
          switch (table) {
            case "millrace_definition" -> "definition";
            case "millrace_executor" -> "executor";
            case "millrace_log" -> "log";
            case "millrace_message", "millrace_archive_message" -> "message";
            case "millrace_audit" -> "audit";
            case "millrace_change" -> "change";
            case "millrace_slot_record" -> "slotRecord";
            case "millrace_offered_event" -> "offer";
            case "millrace_task" -> "task";
            case "millrace_sequence_task" -> "step";
            case "millrace_sequence_type" -> "type";
            case "millrace_compiled_sequence" -> "compiledSequence";
            case "millrace_reduce_group" -> "group";
            default -> "instance";
          };
      default -> null;
    };
  }
}
