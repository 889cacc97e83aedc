package io.millrace.verification.kill;

import io.millrace.sequence.ChannelTransport.QueueStatus;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The facts about a finished run of task sequences.
 *
 * @param executions all executions in the database
 * @param history their history, in order
 * @param fires fires of slots
 * @param messages number of messages in the outbox
 * @param begins attempts that the nodes have reported
 * @param channels status of the broker's queues
 */
public record SequenceFacts(
    List<Execution> executions,
    List<HistoryRow> history,
    List<Fire> fires,
    long messages,
    List<AttemptStart> begins,
    List<QueueStatus> channels) {

  /**
   * An execution.
   *
   * @param count number of tasks that have counted themselves in its variable
   * @param owned true while an executor holds it
   */
  public record Execution(long id, String sequenceId, String status, int count, boolean owned) {}

  /** An entry of the history. */
  public record HistoryRow(
      long executionId, int seq, String type, String from, String to, int leaseVersion) {}

  /** The fire of a slot; {@code endRecorded} is true once the end of its execution is recorded. */
  public record Fire(String sequenceId, String slot, long executionId, boolean endRecorded) {}

  /** A started attempt of a task. */
  public record AttemptStart(long executionId, String state, int seq, int leaseVersion) {
    private static final Pattern LINE = Pattern.compile("BEGIN (\\d+) (\\S+) (\\d+) (\\d+)");

    /** Returns the attempts that a node's output reports. */
    static List<AttemptStart> read(List<String> lines) {
      return lines.stream()
          .map(LINE::matcher)
          .filter(Matcher::matches)
          .map(m ->
              new AttemptStart(
                  Long.parseLong(m.group(1)),
                  m.group(2),
                  Integer.parseInt(m.group(3)),
                  Integer.parseInt(m.group(4))))
          .toList();
    }
  }

  private static final String EXECUTIONS =
      """
      SELECT w.id, w.business_key, w.status, w.executor_id, COALESCE(
        (SELECT v.value FROM millrace_variable v
         WHERE v.instance_id = w.id AND v.name = 'count'), '0') AS count
      FROM millrace_instance w WHERE EXISTS (
        SELECT 1 FROM millrace_compiled_sequence s WHERE s.type = w.type AND s.version = w.version)
      ORDER BY w.id
      """;

  private static final String STEPS =
      """
      SELECT a.instance_id, a.seq, a.type, a.from_state, a.to_state, a.lease_version
      FROM millrace_history a JOIN millrace_instance w ON w.id = a.instance_id
      JOIN millrace_compiled_sequence s ON s.type = w.type AND s.version = w.version
      ORDER BY a.instance_id, a.seq
      """;

  private static final String FIRES =
      """
      SELECT sequence_id, CAST(slot_at AS varchar) || ' ' || fire_number AS slot, execution_id, end_recorded
      FROM millrace_slot_record WHERE execution_id IS NOT NULL ORDER BY id
      """;

  @FunctionalInterface
  private interface Row<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** Reads the facts from the database and adds those of nodes and broker. */
  public static SequenceFacts read(
      Connection connection, List<AttemptStart> begins, List<QueueStatus> channels)
      throws SQLException {
    return new SequenceFacts(
        all(
            connection,
            EXECUTIONS,
            row ->
                new Execution(
                    row.getLong("id"),
                    row.getString("business_key"),
                    row.getString("status"),
                    Integer.parseInt(row.getString("count")),
                    row.getObject("executor_id") != null)),
        all(
            connection,
            STEPS,
            row ->
                new HistoryRow(
                    row.getLong("instance_id"),
                    row.getInt("seq"),
                    row.getString("type"),
                    row.getString("from_state"),
                    row.getString("to_state"),
                    row.getInt("lease_version"))),
        all(
            connection,
            FIRES,
            row ->
                new Fire(
                    row.getString("sequence_id"),
                    row.getString("slot"),
                    row.getLong("execution_id"),
                    row.getBoolean("end_recorded"))),
        all(connection, "SELECT count(*) FROM millrace_outbox", row -> row.getLong(1)).getFirst(),
        List.copyOf(begins),
        List.copyOf(channels));
  }

  private static <T> List<T> all(Connection connection, String sql, Row<T> reader)
      throws SQLException {
    List<T> all = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        all.add(reader.read(rows));
      }
    }
    return all;
  }
}
