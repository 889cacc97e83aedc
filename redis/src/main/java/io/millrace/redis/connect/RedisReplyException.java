package io.millrace.redis.connect;

import io.millrace.instance.MillraceException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Signals that the server answered with an error: the command was not executed. */
public final class RedisReplyException extends MillraceException {

  private static final long serialVersionUID = 1L;

  /**
   * Prefix of the reason: in Redis 6.2 of errors in scripts, and in all versions of errors in
   * transactions.
   */
  private static final Pattern WRAPPING =
      Pattern.compile(
          "(?:ERR Error running script \\(call to f_\\w+\\): (?:@user_script: ?\\d+: )+-?"
              + "|EXECABORT Transaction discarded because of: )(?=[A-Z]{2,} )");

  public RedisReplyException(String message) {
    super(message);
  }

  /**
   * Returns the first word of the server's reason, such as {@code WRONGTYPE} or {@code OOM}, also
   * if the failed command was part of a script or a transaction.
   */
  public String code() {
    String message = String.valueOf(getMessage());
    Matcher wrapped = WRAPPING.matcher(message);
    int begin = wrapped.lookingAt() ? wrapped.end() : 0;
    int end = message.indexOf(' ', begin);
    return end < 0 ? message.substring(begin) : message.substring(begin, end);
  }
}
