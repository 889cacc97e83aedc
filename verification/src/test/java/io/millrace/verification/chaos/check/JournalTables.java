package io.millrace.verification.chaos.check;

import io.millrace.verification.chaos.node.ChaosWorkflows;
import java.io.IOException;
import java.io.Reader;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;

/**
 * A loader that copies the journal into tables beside those of the engine, where checks can join
 * them.
 */
final class JournalTables {

  private static final String RAW =
      """
      DROP TABLE IF EXISTS chaos_journal CASCADE;
      CREATE TABLE chaos_journal (n bigserial PRIMARY KEY, data jsonb NOT NULL);
      """;

  /**
   * Statement that reads a whole line as one value: JSON never contains its quote and delimiter.
   */
  private static final String COPY =
      "COPY chaos_journal (data) FROM STDIN WITH (FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02')";

  private static final String LINES =
      """
      CREATE OR REPLACE FUNCTION pg_temp.chaos_time(micros text) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS
        $$ SELECT timestamptz 'epoch' + micros::bigint * INTERVAL '1 microsecond' $$;

      CREATE TABLE chaos_start AS SELECT pg_temp.chaos_time(data->>'at') AS at,
        data->>'node' AS node, (data->>'pid')::bigint AS pid, (data->>'id')::bigint AS id,
        data->>'type' AS type, data->>'state' AS state, (data->>'seq')::int AS seq,
        (data->>'lv')::int AS lv, (data->>'executor')::bigint AS executor,
        (data->>'attempt')::int AS attempt
      FROM chaos_journal WHERE data->>'kind' = 'START';
      CREATE INDEX ON chaos_start (id, lv);
      CREATE INDEX ON chaos_start (pid);
      CREATE INDEX ON chaos_start (at);

      CREATE TABLE chaos_end AS SELECT pg_temp.chaos_time(data->>'at') AS at,
        (data->>'pid')::bigint AS pid, (data->>'id')::bigint AS id, (data->>'seq')::int AS seq,
        (data->>'lv')::int AS lv, data->>'answer' AS answer
      FROM chaos_journal WHERE data->>'kind' = 'END';
      CREATE INDEX ON chaos_end (id, lv);

      CREATE TABLE chaos_saved AS SELECT (data->>'id')::bigint AS id, (data->>'seq')::int AS seq,
        (data->>'lv')::int AS lv, (data->>'executor')::bigint AS executor,
        data->>'from' AS from_state, data->>'to' AS to_state
      FROM chaos_journal WHERE data->>'kind' = 'SAVED';

      CREATE TABLE chaos_fenced AS SELECT pg_temp.chaos_time(data->>'at') AS at,
        (data->>'pid')::bigint AS pid, (data->>'id')::bigint AS id, (data->>'lv')::int AS lv
      FROM chaos_journal WHERE data->>'kind' = 'FENCED';

      CREATE TABLE chaos_beat AS SELECT pg_temp.chaos_time(data->>'at') AS at,
        (data->>'pid')::bigint AS pid
      FROM chaos_journal WHERE data->>'kind' = 'BEAT';
      CREATE INDEX ON chaos_beat (pid, at);

      CREATE TABLE chaos_effect AS SELECT (data->>'id')::bigint AS id, data->>'token' AS token
      FROM chaos_journal WHERE data->>'kind' = 'EFFECT';
      CREATE INDEX ON chaos_effect (id);

      CREATE TABLE chaos_call AS SELECT pg_temp.chaos_time(data->>'at') AS at,
        data->>'node' AS node, data->>'kind' AS phase, data->>'op' AS op, data->>'key' AS key,
        data->>'type' AS type, (data->>'id')::bigint AS id, data->>'error' AS error
      FROM chaos_journal WHERE data->>'kind' IN ('INVOKE', 'OK', 'FAIL', 'UNKNOWN');
      CREATE INDEX ON chaos_call (key);
      CREATE INDEX ON chaos_call (id);
      """;

  private static final String EVENTS =
      """
      CREATE TABLE chaos_fault AS SELECT data->>'fault' AS fault, data->>'name' AS node,
        (data->>'process')::bigint AS pid, pg_temp.chaos_time(data->>'begin') AS begins,
        pg_temp.chaos_time(data->>'end') AS ends
      FROM chaos_journal WHERE data->>'kind' = 'FAULT';

      CREATE VIEW chaos_freeze AS SELECT * FROM chaos_fault WHERE fault LIKE 'FREEZE%';

      CREATE TABLE chaos_ready AS SELECT (data->>'pid')::bigint AS pid,
        (data->>'executor')::bigint AS executor
      FROM chaos_journal WHERE data->>'kind' = 'READY';

      CREATE TABLE chaos_death AS SELECT pg_temp.chaos_time(data->>'at') AS at,
        data->>'name' AS node, (data->>'process')::bigint AS pid, (data->>'code')::int AS code
      FROM chaos_journal WHERE data->>'kind' = 'NODE_DIED';

      CREATE TABLE chaos_phase AS SELECT pg_temp.chaos_time(data->>'at') AS at,
        data->>'phase' AS phase
      FROM chaos_journal WHERE data->>'kind' = 'PHASE';

      CREATE TABLE chaos_drain AS SELECT d.*, NOT EXISTS (SELECT 1 FROM chaos_fault f
          WHERE f.begins < d.ends AND f.ends > d.begins - INTERVAL '10 seconds'
            AND (f.node = d.name AND f.fault NOT IN ('DRAIN', 'KILL', 'DELAY')
              OR f.fault LIKE 'DATABASE%' OR f.fault LIKE 'DISK%')) AS alone
      FROM (SELECT data->>'name' AS name, (data->>'process')::bigint AS process,
          (data->>'code')::int AS code, (data->>'millis')::bigint AS millis,
          (data->>'owned')::int AS owned, pg_temp.chaos_time(data->>'begin') AS begins,
          pg_temp.chaos_time(data->>'end') AS ends
        FROM chaos_journal WHERE data->>'kind' = 'DRAINED') d;
      """;

  /**
   * Statement that creates, for every step that a killed node was in, the time at which the
   * instance started again. It excludes instances that ended, were parked, paused or canceled in
   * the meantime.
   */
  private static final String RECOVERIES =
      """
      CREATE TABLE chaos_recovery AS
      SELECT k.node, k.killed, s.id, extract(epoch FROM next.at - k.killed) AS seconds,
        NOT EXISTS (SELECT 1 FROM chaos_fault f
          WHERE f.fault NOT IN ('KILL', 'DRAIN', 'DELAY', 'CLOCK_JUMP')
          AND f.begins < k.killed + INTERVAL '20 seconds'
          AND f.ends > k.killed - INTERVAL '5 seconds') AS alone
      FROM (SELECT node, pid, begins AS killed FROM chaos_fault WHERE fault = 'KILL'
          UNION ALL SELECT node, pid, at FROM chaos_death WHERE code = {halted}) k
      JOIN chaos_start s ON s.pid = k.pid AND s.at < k.killed
      JOIN millrace_history r ON r.instance_id = s.id AND r.seq = s.seq + 1
        AND r.type = 'recovery' AND r.lease_version = s.lv AND r.ended_at > k.killed
      JOIN millrace_instance w ON w.id = s.id
      LEFT JOIN LATERAL (SELECT min(n.at) AS at FROM chaos_start n
        WHERE n.id = s.id AND n.lv > s.lv AND n.at > k.killed) next ON true
      WHERE next.at IS NOT NULL
        OR w.status NOT IN ('manual', 'paused', 'cancelled') AND NOT EXISTS (
          SELECT 1 FROM millrace_history d
          WHERE d.instance_id = s.id AND d.seq > r.seq AND d.type IN ('pause', 'cancel'));

      CREATE TABLE chaos_resume AS
      SELECT f.fault, f.begins, f.ends, extract(epoch FROM n.at - f.ends) AS seconds,
        NOT EXISTS (SELECT 1 FROM chaos_fault o WHERE o.begins < f.ends + INTERVAL '5 seconds'
          AND o.ends > f.ends AND o.begins <> f.begins) AS alone
      FROM chaos_fault f
      CROSS JOIN LATERAL (SELECT min(at) AS at FROM chaos_start s WHERE s.at > f.ends) n
      WHERE f.fault LIKE 'DATABASE%' OR f.fault LIKE 'DISK%';
      """;

  private static final String DROP =
      """
      DROP VIEW IF EXISTS chaos_freeze;
      DROP TABLE IF EXISTS chaos_start, chaos_end, chaos_saved, chaos_fenced, chaos_beat,
        chaos_effect, chaos_call, chaos_fault, chaos_ready, chaos_death, chaos_phase, chaos_drain,
        chaos_recovery, chaos_resume;
      """;

  private static final String ANALYZE =
      """
      ANALYZE chaos_start, chaos_end, chaos_saved, chaos_beat, chaos_call, chaos_fault, millrace_instance,
        millrace_history, millrace_message, millrace_variable
      """;

  private JournalTables() {}

  /** Loads a journal, and replaces an earlier one. */
  static void load(Connection connection, Reader journal) throws SQLException, IOException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(DROP);
      statement.execute(RAW);
      connection.unwrap(PGConnection.class).getCopyAPI().copyIn(COPY, journal);
      statement.execute(LINES);
      statement.execute(EVENTS);
      statement.execute(RECOVERIES.replace("{halted}", "" + ChaosWorkflows.HALTED));
      statement.execute(ANALYZE);
    }
  }
}
