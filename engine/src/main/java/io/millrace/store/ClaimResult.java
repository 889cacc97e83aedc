package io.millrace.store;

import io.millrace.instance.Signal;
import io.millrace.instance.WorkflowInstance;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of a claim.
 *
 * @param now the database's time of the claim
 * @param nextDue when the next instance becomes due, as far as known; null when none is known, and
 *     always when the limit was reached
 */
public record ClaimResult(Instant now, List<Claimed> claimed, @Nullable Instant nextDue) {

  public ClaimResult {
    claimed = List.copyOf(claimed);
  }

  /** A reserved instance with all that its handler may ask for. */
  public record Claimed(WorkflowInstance instance, Payload payload) {}

  /**
   * The data of a reserved instance.
   *
   * @param input JSON text of the start's input
   * @param variables JSON texts by name
   * @param inbox unconsumed messages, oldest first
   * @param steps stored step results of the current visit by name
   */
  public record Payload(
      @Nullable String input,
      Map<String, String> variables,
      List<Signal> inbox,
      Map<String, String> steps) {
    public static final Payload EMPTY = new Payload(null, Map.of(), List.of(), Map.of());
  }
}
