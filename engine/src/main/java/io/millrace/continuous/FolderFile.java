package io.millrace.continuous;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A file at a moment.
 *
 * @param name within the folder, with slashes
 */
record FolderFile(String name, long size, Instant modified) {

  private static final int MAX_ID = 150;
  private static final int MARK_BYTES = 12;

  /** Length of the marks in positions of an earlier form, and in names of moved files. */
  static final int SHORT_MARK = 8;

  /** Returns an id that stays the same while the file exists. */
  String id() {
    String text = text();
    return text.length() <= MAX_ID ? text : HexFormat.of().formatHex(hash(text));
  }

  /** Returns an id for one event of all the files. */
  static String id(List<FolderFile> files) {
    return files.size() == 1
        ? files.getFirst().id()
        : HexFormat.of()
            .formatHex(
                hash(files.stream().map(FolderFile::text).collect(Collectors.joining("/|"))));
  }

  /** Returns a hash of 16 characters, which two files of a folder never share in practice. */
  String mark() {
    return Base64.getUrlEncoder().encodeToString(Arrays.copyOf(hash(text()), MARK_BYTES));
  }

  static String shortened(String mark) {
    return mark.substring(0, SHORT_MARK);
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
