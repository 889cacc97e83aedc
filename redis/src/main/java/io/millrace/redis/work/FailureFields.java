package io.millrace.redis.work;

import io.millrace.redis.wire.JavaScriptJson;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The four fields that describe a failure, which workers in Node.js write too. */
final class FailureFields {

  private static final int MAX_LENGTH = 10_000;
  private static final String TRUE = "true";

  private final JavaScriptJson json;
  private final String queue;

  FailureFields(JavaScriptJson json, String queue) {
    this.json = json;
    this.queue = json.write(queue);
  }

  /** Returns the queue's name as JSON. */
  String queue() {
    return queue;
  }

  /** Returns the fields, names and JSON texts in turn. */
  List<String> fields(String message) {
    return List.of(
        "done", TRUE, "failed", TRUE, "failedQueue", queue, "failedErrorMsg", json.write(message));
  }

  /** Returns a text for every failure, also for one without a message. */
  static String message(Throwable failure) {
    String own = messageOf(failure);
    return limited(own == null || own.isBlank() ? failure.getClass().getName() : own);
  }

  /** Returns the part of a message that is stored. */
  static String limited(String message) {
    return message.length() > MAX_LENGTH ? message.substring(0, MAX_LENGTH) : message;
  }

  /** Returns the message. Exceptions of users may override the method, so it can fail. */
  private static @Nullable String messageOf(Throwable failure) {
    try {
      return failure.getMessage();
    } catch (RuntimeException e) {
      return null;
    }
  }

  /** Returns the message of a timeout, with the wording of the npm package. */
  static String timeoutMessage(Duration limit) {
    long millis = limit.toMillis();
    String seconds =
        millis % 1000 == 0
            ? Long.toString(millis / 1000)
            : BigDecimal.valueOf(millis, 3).stripTrailingZeros().toPlainString();
    return "Execution timeout of " + seconds + " seconds exceeded";
  }
}
