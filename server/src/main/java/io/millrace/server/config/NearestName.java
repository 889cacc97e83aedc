package io.millrace.server.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** The search for the name that a mistyped one resembles. */
public final class NearestName {

  private NearestName() {}

  /**
   * Returns the one of {@code names}, which is not empty, with the spelling closest to {@code
   * written}.
   */
  public static String to(String written, Collection<String> names) {
    return names.stream()
        .min(Comparator.comparingInt(name -> distance(written, name)))
        .orElseThrow();
  }

  /** Returns how many letters must be changed, added or removed, ignoring case. */
  public static int distance(String one, String other) {
    String a = one.toLowerCase(Locale.ROOT);
    String b = other.toLowerCase(Locale.ROOT);
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int above = row[j];
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        row[j] = Math.min(Math.min(row[j] + 1, row[j - 1] + 1), diagonal + change);
        diagonal = above;
      }
    }
    return row[b.length()];
  }
}
