package io.millrace.store;

import io.millrace.instance.InboxMessage;
import io.millrace.instance.WorkflowInstance;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of a claim.
 *
 * @param now the database's time of the claim
 * @param nextDue when the next instance becomes due, as far as known; null if none is known, and
 *     always when the limit was reached
 * @param cut true if fewer instances were claimed than the request allows because of the size of
 *     their data; the claimed ones are the most urgent
 */
public record ClaimResult(
    Instant now, List<Claimed> claimed, @Nullable Instant nextDue, boolean cut) {

  public ClaimResult {
    claimed = List.copyOf(claimed);
  }

  /** Creates the result of a claim that was limited only by the number of instances. */
  public ClaimResult(Instant now, List<Claimed> claimed, @Nullable Instant nextDue) {
    this(now, claimed, nextDue, false);
  }

  /**
   * A claimed instance and the data that its handler may read.
   *
   * @param tooLarge true if one kind of its data exceeds {@link LoadLimits#instanceBytes}; {@code
   *     data} is then incomplete, and no handler may run with it
   */
  public record Claimed(WorkflowInstance instance, ClaimedData data, boolean tooLarge) {

    public Claimed(WorkflowInstance instance, ClaimedData data) {
      this(instance, data, false);
    }
  }

  /**
   * The data of a claimed instance.
   *
   * @param input JSON text of the start's input
   * @param variables JSON texts by name
   * @param inboxMessages unconsumed messages, oldest first, limited by {@link InboxRules#page}
   * @param steps stored step results of the current visit by name
   */
  public record ClaimedData(
      @Nullable String input,
      Map<String, String> variables,
      List<InboxMessage> inboxMessages,
      Map<String, String> steps) {
    public static final ClaimedData EMPTY = new ClaimedData(null, Map.of(), List.of(), Map.of());

    /** Returns the number of characters of all texts. */
    public long size() {
      long size = length(input);
      for (String variable : variables.values()) {
        size += variable.length();
      }
      for (InboxMessage message : inboxMessages) {
        size += length(message.payload());
      }
      for (String result : steps.values()) {
        size += result.length();
      }
      return size;
    }

    private static long length(@Nullable String text) {
      return text == null ? 0 : text.length();
    }
  }
}
