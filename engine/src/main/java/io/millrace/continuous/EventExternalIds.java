package io.millrace.continuous;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The external ids of executions. */
final class EventExternalIds {

  private static final int MAX_LENGTH = 200;
  private static final int KEPT = 100;

  private EventExternalIds() {}

  /**
   * Returns the id by which a repeated event is recognized: the workflow's name and the event's id,
   * or an equivalent if they are too long for an external id.
   */
  static String externalId(String name, String eventId) {
    String whole = name + '|' + eventId;
    if (whole.length() <= MAX_LENGTH) {
      return whole;
    }
    return name.substring(0, Math.min(KEPT, name.length())) + '|' + hash(whole);
  }

  private static String hash(String text) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java runtime has SHA-256", e);
    }
  }
}
