package io.millrace.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The faults of definitions that were read from files, by the definition that cannot be used. */
final class ReportDefinitionErrors {

  private final Map<String, String> kpis = new LinkedHashMap<>();
  private final Map<String, String> reports = new LinkedHashMap<>();
  private final Map<String, String> sources = new LinkedHashMap<>();
  private final List<String> files = new ArrayList<>();

  /** Adds a fault of a file, or of a part of it that has no name. */
  void file(String message) {
    files.add(sentence(message));
  }

  /** Adds a fault of a KPI. The first one of an id is kept. */
  void kpi(String id, String message) {
    kpis.putIfAbsent(id, sentence(message));
  }

  /** Adds a fault of a report. The first one of a name is kept. */
  void report(String name, String message) {
    reports.putIfAbsent(name, sentence(message));
  }

  /** Adds a fault of a source of figures. The first one of a name is kept. */
  void source(String name, String message) {
    sources.putIfAbsent(name, sentence(message));
  }

  /** Returns the fault of a KPI, or null when it has none. */
  @Nullable String ofKpi(String id) {
    return kpis.get(id);
  }

  /** Returns the fault of a report, or null when it has none. */
  @Nullable String ofReport(String name) {
    return reports.get(name);
  }

  /** Returns what to add to a message about a missing definition: the files that may define it. */
  String hint() {
    return files.isEmpty()
        ? ""
        : ". A file that cannot be used may define it: " + String.join(" ", files);
  }

  /** Returns the faults of sources and files, as the continuation of a message. */
  String ofSources() {
    List<String> all = new ArrayList<>(sources.values());
    all.addAll(files);
    return all.isEmpty() ? "" : ". " + String.join(" ", all);
  }

  /** Returns all faults, each as a sentence. */
  List<String> all() {
    List<String> all = new ArrayList<>(files);
    all.addAll(sources.values());
    all.addAll(kpis.values());
    all.addAll(reports.values());
    return List.copyOf(all);
  }

  private static String sentence(String message) {
    return message.endsWith(".") ? message : message + ".";
  }
}
