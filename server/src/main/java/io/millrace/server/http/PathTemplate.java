package io.millrace.server.http;

/** The matching of route paths. */
final class PathTemplate {

  private PathTemplate() {}

  /** True if {@code path} matches {@code template}. */
  static boolean matches(String template, String path) {
    String[] expected = template.split("/", -1);
    String[] given = path.split("/", -1);
    if (expected.length != given.length) {
      return false;
    }
    for (int i = 0; i < expected.length; i++) {
      if (!expected[i].startsWith("{") && !expected[i].equals(given[i])) {
        return false;
      }
    }
    return true;
  }
}
