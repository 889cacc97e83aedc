package io.millrace.server.http;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A parser of the query of an address, and of form fields, which have the same format. */
final class QueryString {

  private static final int MAX = 100;

  private QueryString() {}

  /** Returns the values by name, in the order in which they were sent. */
  static Map<String, List<String>> parse(@Nullable String raw) {
    Map<String, List<String>> values = new LinkedHashMap<>();
    if (raw == null || raw.isEmpty()) {
      return values;
    }
    String[] pairs = raw.split("&", -1);
    if (pairs.length > MAX) {
      throw ProblemException.of(
          400,
          "There are " + pairs.length + " parameters or fields; expected at most " + MAX + ".");
    }
    for (String pair : pairs) {
      if (!pair.isEmpty()) {
        int equals = pair.indexOf('=');
        String name =
            InputText.percentDecoded("query", equals < 0 ? pair : pair.substring(0, equals));
        String value = equals < 0 ? "" : InputText.percentDecoded(name, pair.substring(equals + 1));
        values.computeIfAbsent(name, n -> new ArrayList<>()).add(value);
      }
    }
    return values;
  }
}
