package io.millrace.verification.chaos.check;

import io.millrace.fixtures.ProcessTicker;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A violation injected into a clean run.
 *
 * @param description description of the check that must find it
 * @param sql statement that changes the tables
 * @param lines additional lines of the journal
 */
record InjectedViolation(String description, String sql, List<String> lines) {

  private static final String NOTHING = "SELECT 1";

  /** Seconds since 1970 at which planted runs start; their times count from it. */
  static final long EPOCH = 1_800_000_000L;

  static InjectedViolation rows(String says, String sql) {
    return new InjectedViolation(says, sql, List.of());
  }

  static InjectedViolation lines(String says, String... lines) {
    return new InjectedViolation(says, NOTHING, List.of(lines));
  }

  InjectedViolation with(String... more) {
    return new InjectedViolation(description, sql, List.of(more));
  }

  /** Returns a line of the journal; fields are given in JSON. */
  static String line(String kind, double second, String fields) {
    return "{\"at\":%s,\"kind\":\"%s\",%s}".formatted(micros(second), kind, fields);
  }

  /** Returns a line for each tick of node1, whose process id is 100. */
  static List<String> beats(double begin, double end) {
    return IntStream.range(0, (int) ((end - begin) * ProcessTicker.PER_SECOND))
        .mapToObj(i -> line("BEAT", begin + (double) i / ProcessTicker.PER_SECOND, "\"pid\":100"))
        .toList();
  }

  /** Returns a line that a handler of node1 wrote. */
  static String step(String kind, double second, long id, int seq, int lv) {
    return line(
        kind,
        second,
        """
        "node":"node1","pid":100,"id":%s,"type":"slow","state":"one","seq":%s,"lv":%s,\
        "executor":7,"attempt":1,"answer":""\
        """
            .formatted(id, seq, lv));
  }

  /** Returns a line about a call of the client. */
  static String call(String phase, String op, String key, long id, String error) {
    return line(
        phase,
        1,
        """
        "node":"client","op":"%s","key":"%s","type":"slow","id":%s,"error":"%s"\
        """
            .formatted(op, key, id, error));
  }

  /** Returns a line about a fault of node1, whose process id is 100. */
  static String fault(String fault, double begin, double end) {
    return line(
        "FAULT",
        end,
        """
        "fault":"%s","name":"node1","process":100,"begin":%s,"end":%s\
        """
            .formatted(fault, micros(begin), micros(end)));
  }

  /** Returns a line about the drain of node1, between seconds 20 and 22. */
  static String drain(int code, int owned) {
    return line(
        "DRAINED",
        22,
        """
        "name":"node1","process":100,"code":%s,"millis":2000,"owned":%s,"begin":%s,"end":%s\
        """
            .formatted(code, owned, micros(20), micros(22)));
  }

  private static long micros(double second) {
    return (long) ((EPOCH + second) * 1_000_000);
  }

  /** Returns the statement that inserts an instance. */
  static String instance(long id, String type, String key, String status, String more) {
    return """
    INSERT INTO millrace_instance (id, type, version, definition_id, executor_group, priority,
      external_id, state, status, created_at, modified_at, entered_at)
    SELECT %s, '%s', 1, 1, 'millrace', 4, '%s', 'one', '%s', t, t, t
    FROM (SELECT to_timestamp(%s) AS t) now;
    %s
    """
        .formatted(id, type, key, status, EPOCH, more);
  }

  /** Returns the statement that inserts a history entry of executor 7. */
  static String action(long id, int seq, String type, String from, String to, int lv) {
    return """
    INSERT INTO millrace_history (instance_id, seq, type, from_state, to_state, reason,
      executor_id, lease_version, attempt, started_at, ended_at)
    VALUES (%s, %s, '%s', '%s', '%s', 'done', 7, %s, 1, to_timestamp(%s), to_timestamp(%s));
    """
        .formatted(id, seq, type, from, to, lv, EPOCH + seq, EPOCH + seq);
  }
}
