package io.millrace.server.http;

/** Paths of routes. */
final class PathTemplate {

  private PathTemplate() {}

  /** True when {@code path} is one of those that {@code template} stands for. */
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
