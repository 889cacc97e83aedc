package io.millrace.redis.flow;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.StorableText;
import java.time.Duration;

/** Checks names that become parts of keys, and delays. */
final class QueueNames {

  private static final int MAX_LENGTH = 200;
  private static final Duration MAX_DELAY = Duration.ofDays(365);

  private QueueNames() {}

  /** Checks a delay, which becomes a number of milliseconds in Redis. */
  static void delay(String what, Duration delay) {
    if (requirePresent(delay, what).isNegative() || delay.compareTo(MAX_DELAY) > 0) {
      throw new InvalidRequestException(
          what + " is " + delay + "; expected 0 to " + MAX_DELAY.toDays() + " days.");
    }
  }

  /** Checks a name, which must have no colon, since colons separate the parts of keys. */
  static String plain(String what, String name) {
    requirePresent(name, what);
    if (name.isBlank()
        || name.length() > MAX_LENGTH
        || name.indexOf(':') >= 0
        || StorableText.indexOfHalf(name) >= 0) {
      throw new InvalidRequestException(
          what
              + " '"
              + StorableText.repaired(name)
              + "' cannot be part of a Redis key; expected 1 to "
              + MAX_LENGTH
              + " characters, no half of a surrogate pair, and no colon, which separates the parts"
              + " of a key.");
    }
    return name;
  }
}
