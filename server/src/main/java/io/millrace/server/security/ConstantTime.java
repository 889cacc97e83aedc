package io.millrace.server.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** A comparison of secrets in constant time. */
public final class ConstantTime {

  private ConstantTime() {}

  /** Returns true if the texts are equal. The time does not depend on where they differ. */
  public static boolean areEqual(String one, String other) {
    return MessageDigest.isEqual(
        one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
  }
}
