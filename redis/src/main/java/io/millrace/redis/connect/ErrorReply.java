package io.millrace.redis.connect;

import java.util.Set;

/** An error that the server sent as its reply to a command. */
record ErrorReply(String message) {

  private static final Set<String> AWAY =
      Set.of("LOADING", "READONLY", "MASTERDOWN", "NOAUTH", "UNBLOCKED");

  /** Returns true if the server cannot serve this client now. */
  boolean isAway() {
    return AWAY.contains(new RedisReplyException(message).code());
  }
}
