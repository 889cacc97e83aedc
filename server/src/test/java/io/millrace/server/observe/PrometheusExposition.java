package io.millrace.server.observe;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A strict parser of the text format of Prometheus: every sample belongs to a family that was
 * declared before it, and none occurs twice.
 *
 * @param types types of the families, by name
 * @param samples values by name and labels
 */
record PrometheusExposition(Map<String, String> types, Map<String, Double> samples) {

  private static final Pattern TYPE =
      Pattern.compile("# TYPE ([a-z_][a-z0-9_]*) (counter|gauge|histogram|summary|untyped)");
  private static final Pattern HELP = Pattern.compile("# HELP [a-z_][a-z0-9_]* .*");
  private static final Pattern SAMPLE =
      Pattern.compile(
          "([a-z_][a-z0-9_]*)(\\{(?:[a-z_][a-z0-9_]*=\"(?:[^\"\\\\\\n]|\\\\[\\\\n\"])*\",?)*})?"
              + " (NaN|[+-]Inf|[-+0-9.eE]+)");

  static PrometheusExposition parse(String text) {
    Map<String, String> types = new LinkedHashMap<>();
    Map<String, Double> samples = new LinkedHashMap<>();
    for (String line : text.split("\n", -1)) {
      if (!line.isEmpty() && !HELP.matcher(line).matches()) {
        read(line, types, samples);
      }
    }
    return new PrometheusExposition(types, samples);
  }

  private static void read(String line, Map<String, String> types, Map<String, Double> samples) {
    Matcher type = TYPE.matcher(line);
    Matcher sample = SAMPLE.matcher(line);
    if (type.matches()) {
      if (types.put(type.group(1), type.group(2)) != null) {
        throw new AssertionError("Declared twice: " + line);
      }
    } else if (sample.matches()) {
      if (types.keySet().stream().noneMatch(family -> belongs(sample.group(1), family))) {
        throw new AssertionError("Not declared: " + line);
      }
      String labels = sample.group(2) == null ? "" : sample.group(2);
      if (samples.put(sample.group(1) + labels, number(sample.group(3))) != null) {
        throw new AssertionError("Twice: " + line);
      }
    } else {
      throw new AssertionError("Not the format of Prometheus: " + line);
    }
  }

  private static boolean belongs(String sample, String family) {
    return sample.equals(family)
        || (sample.startsWith(family + "_")
            && Set.of("count", "sum", "bucket", "max", "total", "info", "created")
                .contains(sample.substring(family.length() + 1)));
  }

  private static double number(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }

  /** Returns the names of the samples, without labels. */
  Set<String> names() {
    Set<String> names = new LinkedHashSet<>();
    samples.keySet().forEach(sample -> names.add(sample.replaceFirst("\\{.*", "")));
    return names;
  }
}
