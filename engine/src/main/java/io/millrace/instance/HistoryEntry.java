package io.millrace.instance;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One entry of an instance's history. {@code (instanceId, seq)} is unique and gapless from 1.
 *
 * @param outcome its reason and changes
 * @param author the executor or operator that wrote it
 */
public record HistoryEntry(
    long instanceId,
    int seq,
    HistoryEntryType type,
    Move move,
    Outcome outcome,
    Author author,
    Span span) {

  /** Returns this entry with the names of the signals that it consumed. */
  public HistoryEntry consuming(List<String> signals) {
    return signals.equals(outcome.consumed)
        ? this
        : new HistoryEntry(
            instanceId,
            seq,
            type,
            move,
            new Outcome(outcome.reason, outcome.error, outcome.variables, signals),
            author,
            span);
  }

  /** A transition from one state to another or to itself. */
  public record Move(String from, String to) {}

  /**
   * The outcome of an entry: reason, error, changed variables and consumed signals.
   *
   * @param reason in the words of the handler, operator or engine
   * @param error the stack trace of a failed attempt, cut to a limit; null when none
   * @param variables the changed variables as a JSON object, null values for removed ones; null
   *     when none changed
   * @param consumed the names of the signals that the transition consumed, oldest first
   */
  public record Outcome(
      @Nullable String reason,
      @Nullable String error,
      @Nullable String variables,
      List<String> consumed) {

    public Outcome {
      consumed = List.copyOf(consumed);
    }

    /** Creates the outcome of an entry that consumed no signal. */
    public Outcome(@Nullable String reason, @Nullable String error, @Nullable String variables) {
      this(reason, error, variables, List.of());
    }
  }

  /**
   * The author of an entry.
   *
   * @param executorId the executor; null for an operator's action
   * @param leaseVersion the lease under which it was written
   * @param attempt the attempt's number, from 1; 0 for actions and recoveries
   * @param actor the operator; null for an executor's action
   */
  public record Author(
      @Nullable Long executorId, int leaseVersion, int attempt, @Nullable String actor) {}

  /** Start and end by the database's clock. */
  public record Span(Instant started, Instant ended) {}
}
