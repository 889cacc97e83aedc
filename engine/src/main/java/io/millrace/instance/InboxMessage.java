package io.millrace.instance;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message to an instance: a signal, or a request to wake or pause it. It is kept in arrival order
 * until a transition consumes it.
 *
 * @param payload JSON text; null for none
 * @param consumedSeq the history entry that consumed it; null while it is queued
 */
public record InboxMessage(
    long id,
    long instanceId,
    Kind kind,
    String name,
    @Nullable String payload,
    Sent sent,
    @Nullable Integer consumedSeq) {

  /** The kind of a message in the inbox. */
  public enum Kind {
    /** A named event for the handlers. */
    SIGNAL("signal"),
    /** A request to run now, sent while the instance was executing. */
    WAKE("wake"),
    /** A request to pause after the current attempt, sent while the instance was executing. */
    PAUSE("pause");

    private final String code;

    Kind(String code) {
      this.code = code;
    }

    /** Returns the name in tables. */
    public String code() {
      return code;
    }

    /** Returns the kind with this code. */
    public static Kind ofCode(String code) {
      for (Kind kind : values()) {
        if (kind.code.equals(code)) {
          return kind;
        }
      }
      throw new InvalidRequestException("Inbox message kind '" + code + "' is unknown.");
    }
  }

  /** The time, sender and reason of a message. */
  public record Sent(Instant at, @Nullable String actor, @Nullable String reason) {}
}
