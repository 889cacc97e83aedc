package io.millrace.redis.connect;

/** The server answered with an error: the command was not executed. */
public final class RedisReplyException extends RuntimeException {

  public RedisReplyException(String message) {
    super(message);
  }

  /** The first word of the server's message, such as {@code WRONGTYPE} or {@code OOM}. */
  public String code() {
    String message = String.valueOf(getMessage());
    int end = message.indexOf(' ');
    return end < 0 ? message : message.substring(0, end);
  }
}
