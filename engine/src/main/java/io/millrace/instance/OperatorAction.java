package io.millrace.instance;

import org.jspecify.annotations.Nullable;

/**
 * The actor and the reason of an operator action. What is done, such as a retry, is the method that
 * takes them; the history and the audit trail have all three.
 *
 * @param actor a person or program, at most 100 characters
 * @param reason at most 1,000 characters; null when none is given
 */
public record OperatorAction(String actor, @Nullable String reason) {

  /** Maximum number of characters of a reason. */
  public static final int MAX_REASON = 1000;

  private static final int MAX_ACTOR = 100;

  public OperatorAction {
    InvalidRequestException.requirePresent(actor, "The actor of an action");
    if (actor.isBlank() || actor.length() > MAX_ACTOR || !StorableText.isStorable(actor)) {
      throw new InvalidRequestException(
          "The actor of an action is '"
              + StorableText.repaired(actor)
              + "'; expected 1 to "
              + MAX_ACTOR
              + " characters, not blank, "
              + StorableText.EXPECTED
              + ".");
    }
    if (reason != null && reason.length() > MAX_REASON) {
      throw new InvalidRequestException(
          "The reason of an action has "
              + reason.length()
              + " characters; expected at most "
              + MAX_REASON
              + ".");
    }
  }

  /** Returns actor and reason as text, for example {@code ann: the numbers were corrected}. */
  public String summary() {
    return reason == null ? actor : actor + ": " + reason;
  }

  public static OperatorAction by(String actor) {
    return new OperatorAction(actor, null);
  }

  public static OperatorAction by(String actor, String reason) {
    return new OperatorAction(actor, reason);
  }
}
