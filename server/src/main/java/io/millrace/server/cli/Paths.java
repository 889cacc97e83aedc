package io.millrace.server.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;

/** Texts as parts of a path. */
final class Paths {

  private Paths() {}

  static String segment(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }
}
