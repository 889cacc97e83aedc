package io.millrace.server.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;

/** An encoder of texts as parts of a path. */
final class ApiPaths {

  private ApiPaths() {}

  /** Returns {@code /sequences/ID}. */
  static String sequence(String sequenceId) {
    return "/sequences/" + segment(sequenceId);
  }

  static String segment(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }
}
