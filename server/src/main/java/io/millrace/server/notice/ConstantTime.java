package io.millrace.server.notice;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** Tokens of subscriptions. */
final class ConstantTime {

  private ConstantTime() {}

  /** Takes the same time wherever the difference is. */
  static boolean areEqual(String one, String other) {
    return MessageDigest.isEqual(
        one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
  }
}
