package io.millrace.server.config;

import java.util.regex.Pattern;

/** The masking of secrets. */
final class PasswordMasking {

  static final String MASK = "***";

  private static final Pattern PASSWORD =
      Pattern.compile("(?i)((?:password|pwd|sslpassword)=)[^&;]*");

  private PasswordMasking() {}

  /** Returns a JDBC address without the passwords among its parameters. */
  static String url(String url) {
    return PASSWORD.matcher(url).replaceAll("$1" + MASK);
  }
}
