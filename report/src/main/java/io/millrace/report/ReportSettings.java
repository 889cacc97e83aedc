package io.millrace.report;

import io.millrace.instance.InvalidRequestException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The section {@code assessmentReport} of the configuration. Immutable.
 *
 * @param outputDatasource the store of results: {@code DATABASE}, or the name of a store that the
 *     component has, such as {@code NEO4J} or {@code ES}
 * @param maxSequenceRetries how often the tasks of a report are repeated, from 0
 * @param explanations notes about keys without effect, one sentence each
 */
public record ReportSettings(
    String outputDatasource, int maxSequenceRetries, List<String> explanations) {

  /** Name of the engine's database as the store of results. */
  public static final String DATABASE = "DATABASE";

  private static final int RECOMMENDED_RETRIES = 3;
  private static final Set<String> KEYS =
      Set.of("outputDatasource", "maxWorkflowRetries", "chartVendor", "fusionExportAPIUrl");

  public ReportSettings {
    explanations = List.copyOf(explanations);
  }

  public static ReportSettings defaults() {
    return new ReportSettings(DATABASE, RECOMMENDED_RETRIES, List.of());
  }

  /** Returns the same settings without explanations, for use after they have been logged. */
  public ReportSettings explained() {
    return new ReportSettings(outputDatasource, maxSequenceRetries, List.of());
  }

  /**
   * Reads the settings from the section.
   *
   * @throws InvalidRequestException naming the key, when a value cannot be used
   */
  public static ReportSettings of(Map<String, ?> section) {
    Set<String> unknown = new TreeSet<>(section.keySet());
    unknown.removeAll(KEYS);
    if (!unknown.isEmpty()) {
      throw new InvalidRequestException(
          "assessmentReport has the unknown keys "
              + unknown
              + ", expected some of "
              + new TreeSet<>(KEYS));
    }
    List<String> explanations = new ArrayList<>();
    String vendor = text(section, "chartVendor", "");
    if (vendor.equalsIgnoreCase("Fusion")) {
      explanations.add(
          "assessmentReport.chartVendor=Fusion has no effect: charts are drawn by the program"
              + " itself, without a vendor's server. The key may be removed.");
    } else if (!vendor.isEmpty()) {
      explanations.add(
          "assessmentReport.chartVendor names the unknown vendor '"
              + vendor
              + "' (known: Fusion). It has no effect: charts are drawn by the program itself.");
    }
    if (!text(section, "fusionExportAPIUrl", "").isEmpty()) {
      explanations.add(
          "assessmentReport.fusionExportAPIUrl has no effect: nothing is sent to it, since the"
              + " program makes the PDF itself. The key may be removed.");
    }
    return new ReportSettings(
        text(section, "outputDatasource", DATABASE).toUpperCase(Locale.ROOT),
        retries(section),
        explanations);
  }

  private static String text(Map<String, ?> section, String key, String otherwise) {
    Object value = section.get(key);
    return value == null || value.toString().isBlank() ? otherwise : value.toString().strip();
  }

  private static int retries(Map<String, ?> section) {
    String text = text(section, "maxWorkflowRetries", Integer.toString(RECOMMENDED_RETRIES));
    try {
      int number = Integer.parseInt(text);
      if (number >= 0 && number <= 1000) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw wrongRetries(text);
    }
    throw wrongRetries(text);
  }

  private static InvalidRequestException wrongRetries(String text) {
    return new InvalidRequestException(
        "assessmentReport.maxWorkflowRetries is '" + text + "', expected a number from 0 to 1000");
  }
}
