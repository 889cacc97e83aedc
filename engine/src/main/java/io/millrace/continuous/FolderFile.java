package io.millrace.continuous;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

/**
 * A file as it is at a moment.
 *
 * @param name within the folder, with slashes
 */
record FolderFile(String name, long size, Instant modified) {

  private static final int LONGEST_ID = 150;
  private static final int MARK_BYTES = 6;

  /** The same as long as the file is. */
  String id() {
    String text = text();
    return text.length() <= LONGEST_ID ? text : HexFormat.of().formatHex(hash(text));
  }

  /** A short one, of {@link FolderMemory#MARK} characters. */
  String mark() {
    return Base64.getUrlEncoder().encodeToString(Arrays.copyOf(hash(text()), MARK_BYTES));
  }

  private String text() {
    return name + "|" + size + "|" + modified;
  }

  private static byte[] hash(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }
}
