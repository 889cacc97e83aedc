package io.millrace.store.sql;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The timeouts of PostgreSQL that a role, a database or the pool sets for each session, in
 * milliseconds by name.
 */
record SessionTimeouts(Map<String, Long> millis) {

  /** Timeouts of a session in which none is set. */
  static final SessionTimeouts NONE = new SessionTimeouts(Map.of());

  private static final String LOCK = "lock_timeout";

  /**
   * Names of all timeouts that can end a statement or a transaction; the last exists since
   * PostgreSQL 17.
   */
  static final List<String> NAMES =
      List.of(
          "statement_timeout", LOCK, "idle_in_transaction_session_timeout", "transaction_timeout");

  /**
   * Time from which the end of a wait for a lock does not interfere: the engine expects it anyway.
   */
  private static final long LOCK_MILLIS = 1_000;

  SessionTimeouts {
    millis = Map.copyOf(millis);
  }

  /** Returns true if a statement with this limit may be ended before its limit. */
  boolean interfereWith(StatementTimeout statementTimeout) {
    return millis.keySet().stream().anyMatch(name -> interferes(name, statementTimeout));
  }

  /**
   * Returns true if a timeout interferes. A transaction sets the limit of its pauses in any case.
   */
  private boolean interferes(String name, StatementTimeout statementTimeout) {
    if (!statementTimeout.limited()) {
      return !name.startsWith("idle") && millis.containsKey(name);
    }
    long needed = name.equals(LOCK) ? LOCK_MILLIS : statementTimeout.seconds() * 1_000L;
    return !name.startsWith("idle") && millis.getOrDefault(name, needed) < needed;
  }

  /** Returns statements that replace the interfering timeouts, until the end of the transaction. */
  String replacing(StatementTimeout statementTimeout) {
    return NAMES.stream()
        .filter(name -> interferes(name, statementTimeout))
        .map(name -> "SET LOCAL " + name + " = '" + statementTimeout.seconds() + "s'")
        .collect(Collectors.joining("; "));
  }

  /** Returns the interfering timeouts, in the notation of an operator. */
  String text(StatementTimeout statementTimeout) {
    return NAMES.stream()
        .filter(name -> interferes(name, statementTimeout))
        .map(name -> name + "=" + millis.get(name) + "ms")
        .collect(Collectors.joining(" "));
  }
}
