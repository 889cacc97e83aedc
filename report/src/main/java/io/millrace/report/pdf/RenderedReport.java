package io.millrace.report.pdf;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A finished PDF document.
 *
 * @param pdf the file
 * @param missing the characters that are shown as {@code ?} because no font has them
 */
@SuppressWarnings("ArrayRecordComponent") // documents are not compared
public record RenderedReport(byte[] pdf, Set<Integer> missing) {

  private static final int MAX_NAMED = 12;

  public RenderedReport {
    missing = new TreeSet<>(missing);
  }

  /** Returns a sentence about the missing characters; empty when there are none. */
  public String note() {
    return note(missing);
  }

  static String note(Set<Integer> missing) {
    if (missing.isEmpty()) {
      return "";
    }
    Map<String, Set<Integer>> scripts = new TreeMap<>();
    missing.stream()
        .limit(MAX_NAMED)
        .forEach(c -> scripts.computeIfAbsent(script(c), s -> new TreeSet<>()).add(c));
    String named =
        scripts.entrySet().stream()
            .map(one ->
                one.getValue().stream()
                    .map("U+%04X"::formatted)
                    .collect(Collectors.joining(", ", one.getKey() + " ", "")))
            .collect(Collectors.joining("; "));
    return "%s character%s shown as \"?\" because no font has %s: %s%s."
        .formatted(
            missing.size(),
            missing.size() == 1 ? " is" : "s are",
            missing.size() == 1 ? "it" : "them",
            named,
            missing.size() > MAX_NAMED ? " and more" : "");
  }

  private static String script(int codePoint) {
    String name = Character.UnicodeScript.of(codePoint).name().toLowerCase(java.util.Locale.ROOT);
    return name.equals("common") ? "symbols" : name.replace('_', ' ');
  }
}
