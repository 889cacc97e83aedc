package io.millrace.server.http;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A media type that a request body may have. */
enum MediaType {
  JSON("application/json"),
  /** The fields of an HTML form. */
  FORM("application/x-www-form-urlencoded");

  private final String text;

  MediaType(String text) {
    this.text = text;
  }

  /** Returns the type as in headers. */
  String text() {
    return text;
  }

  /** True if the header {@code Content-Type} names this type, in UTF-8. */
  boolean isIn(@Nullable String contentType) {
    String type = contentType == null ? "" : contentType.toLowerCase(Locale.ROOT);
    int semicolon = type.indexOf(';');
    String rest = semicolon < 0 ? "" : type.substring(semicolon + 1).replace(" ", "");
    boolean utf8 =
        rest.isEmpty() || rest.equals("charset=utf-8") || rest.equals("charset=\"utf-8\"");
    return utf8 && media(type).equals(text);
  }

  /** True for multipart bodies, which the libraries would write to files while they read them. */
  static boolean isMultipart(@Nullable String contentType) {
    return contentType != null
        && media(contentType.toLowerCase(Locale.ROOT)).startsWith("multipart/");
  }

  private static String media(String type) {
    int semicolon = type.indexOf(';');
    return (semicolon < 0 ? type : type.substring(0, semicolon)).strip();
  }
}
