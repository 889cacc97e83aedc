package io.millrace.server.notice;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;

/** Tokens of subscriptions. */
final class Secret {

  private static final SecureRandom RANDOM = new SecureRandom();

  private Secret() {}

  /** 256 bits as 43 characters that need no escape in a URL. */
  static String random() {
    byte[] bytes = new byte[32];
    RANDOM.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** Takes the same time wherever the difference is. */
  static boolean areEqual(String one, String other) {
    return MessageDigest.isEqual(
        one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
  }
}
