package io.millrace.server.security;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The random tokens that grant access, and the hashes that are stored of them. */
final class SecureTokens {

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  private SecureTokens() {}

  /** Returns 256 random bits as 43 characters that need no escape in a header, cookie or URL. */
  static String random() {
    return BASE64.encodeToString(randomBytes(32));
  }

  static byte[] randomBytes(int length) {
    byte[] bytes = new byte[length];
    RANDOM.nextBytes(bytes);
    return bytes;
  }

  /** Returns a uniformly distributed number below {@code bound}. */
  static int randomBelow(int bound) {
    return RANDOM.nextInt(bound);
  }

  /**
   * Returns the hash of a token. A fast hash is sufficient, since 256 random bits cannot be
   * guessed.
   */
  static String hash(String token) {
    return HexFormat.of().formatHex(sha256().digest(bytes(token)));
  }

  static String base64OfHash(String token) {
    return BASE64.encodeToString(sha256().digest(bytes(token)));
  }

  /**
   * Returns the CSRF token of a session. It is derived from the session's token, which scripts
   * cannot read, and does not reveal it.
   */
  static String csrf(String sessionToken) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(bytes(sessionToken), "HmacSHA256"));
      return BASE64.encodeToString(mac.doFinal(bytes("csrf")));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("This JDK has no HmacSHA256", e);
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("This JDK has no SHA-256", e);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
