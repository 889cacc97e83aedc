package io.millrace.report.kpi;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The texts of findings, with placeholders such as {@code {value}}. Immutable.
 *
 * @param texts replacements for the standard texts of a rule
 */
public record RuleMessages(Map<Finding, String> texts) {

  private static final Pattern PLACEHOLDER = Pattern.compile("\\{(\\w+)}");

  public RuleMessages {
    texts = Map.copyOf(texts);
  }

  /** Returns messages without replacements, so that the standard texts are used. */
  public static RuleMessages standard() {
    return new RuleMessages(Map.of());
  }

  public RuleMessages with(Finding finding, String text) {
    Map<Finding, String> more = new EnumMap<>(Finding.class);
    more.putAll(texts);
    more.put(finding, text);
    return new RuleMessages(more);
  }

  /** Rejects texts for findings, or with placeholders, that the rule does not know. */
  void check(String rule, Map<Finding, String> standard, Set<String> placeholders) {
    texts.forEach((finding, text) -> {
      if (!standard.containsKey(finding)) {
        throw new ReportDefinitionException(
            "A message of the rule "
                + rule
                + " is for '"
                + finding
                + "', which it cannot find; expected one of "
                + new TreeSet<>(standard.keySet()));
      }
      for (Matcher m = PLACEHOLDER.matcher(text); m.find(); ) {
        if (!placeholders.contains(m.group(1))) {
          throw new ReportDefinitionException(
              "The message '"
                  + text
                  + "' of the rule "
                  + rule
                  + " has the placeholder {"
                  + m.group(1)
                  + "}, expected one of "
                  + new TreeSet<>(placeholders));
        }
      }
    });
  }

  String text(Finding finding, Map<Finding, String> standard, Map<String, String> values) {
    String template = texts.getOrDefault(finding, standard.getOrDefault(finding, ""));
    Matcher m = PLACEHOLDER.matcher(template);
    StringBuilder text = new StringBuilder();
    while (m.find()) {
      m.appendReplacement(text, Matcher.quoteReplacement(values.getOrDefault(m.group(1), "–")));
    }
    m.appendTail(text);
    return text.toString();
  }
}
