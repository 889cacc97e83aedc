package io.millrace.store.sql;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A statement whose parameters are written as {@code :name}.
 *
 * @param jdbc the statement with question marks
 * @param names the parameters' names in the order of the question marks
 */
record NamedSql(String jdbc, List<String> names) {

  /** Parameter that stands for the time of the statement. */
  static final String NOW = "now";

  /**
   * Parses a statement. Colons in quotes and comments, and those of casts ({@code ::type}), are not
   * parameters.
   *
   * @param now replaces {@code :now}; null to keep it as a parameter
   */
  static NamedSql parse(String sql, @Nullable String now) {
    StringBuilder jdbc = new StringBuilder(sql.length());
    List<String> names = new ArrayList<>();
    int at = 0;
    while (at < sql.length()) {
      int end = endOfVerbatim(sql, at);
      if (end > at) {
        jdbc.append(sql, at, end);
        at = end;
      } else if (sql.charAt(at) == ':' && isNameStart(sql, at + 1)) {
        end = endOfName(sql, at + 1);
        String name = sql.substring(at + 1, end);
        if (name.equals(NOW) && now != null) {
          jdbc.append(now);
        } else {
          jdbc.append(name.equals(NOW) ? "CAST(? AS timestamp with time zone)" : "?");
          names.add(name);
        }
        at = end;
      } else {
        jdbc.append(sql.charAt(at++));
      }
    }
    return new NamedSql(jdbc.toString(), List.copyOf(names));
  }

  /**
   * Returns the end of the text that must be copied unchanged from {@code at} on; {@code at} if
   * there is none.
   */
  private static int endOfVerbatim(String sql, int at) {
    char c = sql.charAt(at);
    if (c == '\'' || c == '"') {
      return after(sql, String.valueOf(c), at + 1);
    }
    if (sql.startsWith("--", at)) {
      return after(sql, "\n", at);
    }
    if (sql.startsWith("/*", at)) {
      return after(sql, "*/", at + 2);
    }
    return sql.startsWith("::", at) ? at + 2 : at;
  }

  private static int after(String sql, String mark, int from) {
    int found = sql.indexOf(mark, from);
    return found < 0 ? sql.length() : found + mark.length();
  }

  private static boolean isNameStart(String sql, int at) {
    return at < sql.length() && Character.isLetter(sql.charAt(at));
  }

  private static int endOfName(String sql, int from) {
    int end = from;
    while (end < sql.length() && Character.isLetterOrDigit(sql.charAt(end))) {
      end++;
    }
    return end;
  }
}
