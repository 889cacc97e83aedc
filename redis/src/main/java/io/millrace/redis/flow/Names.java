package io.millrace.redis.flow;

import static io.millrace.instance.InvalidRequestException.given;

import io.millrace.instance.InvalidRequestException;

/** Checks the names that become parts of keys. */
final class Names {

  private static final int LONGEST = 200;

  private Names() {}

  /** A name without a colon, since keys are split there. */
  static String plain(String what, String name) {
    given(name, what);
    if (name.isBlank() || name.length() > LONGEST || name.indexOf(':') >= 0) {
      throw new InvalidRequestException(
          what
              + " '"
              + name
              + "' cannot be used: it must have 1 to "
              + LONGEST
              + " characters and no colon, which separates the parts of a key");
    }
    return name;
  }
}
