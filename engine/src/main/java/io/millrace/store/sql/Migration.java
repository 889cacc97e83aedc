package io.millrace.store.sql;

import io.millrace.store.sql.SqlStatements.SqlStatement;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file of SQL that brings the tables of a component from one version to the next.
 *
 * @param text with line feeds as line ends
 */
record Migration(String component, String file, int version, String description, String text) {

  private static final Pattern NAME = Pattern.compile("V(\\d{1,6})__(\\w{1,200})\\.sql");
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  /**
   * Reads a migration from the class path.
   *
   * @param file of the form {@code V1__tables.sql}, in UTF-8
   */
  static Migration read(String component, ClassLoader loader, String folder, String file) {
    String path = folder + file;
    try (InputStream in = loader.getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalStateException(path + " is not on the class path.");
      }
      return of(component, file, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Migration of(String component, String file, String text) {
    Matcher name = NAME.matcher(file);
    if (!name.matches()) {
      throw new IllegalArgumentException(
          "The migration '" + file + "' has no version; expected a name such as V1__tables.sql.");
    }
    String withoutMark = text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    return new Migration(
        component,
        file,
        Integer.parseInt(name.group(1)),
        name.group(2).replace('_', ' '),
        withoutMark.replace("\r\n", "\n").replace('\r', '\n'));
  }

  List<SqlStatement> statements() {
    return SqlStatements.split(text);
  }

  /** Returns the SHA-256 of the text in hexadecimal digits. */
  String checksum() {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
