package io.millrace.imports;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Report of what an import did, or would do.
 *
 * @param schema the schema of the source's tables
 * @param dryRun true when nothing was changed
 * @param history the execution history, which stays in the source
 */
public record ImportReport(
    String schema, Instant at, boolean dryRun, List<ImportEntry> entries, SourceHistory history) {

  public ImportReport {
    entries = List.copyOf(entries);
  }

  /** Returns false if something was refused. */
  public boolean ok() {
    return entries.stream().noneMatch(entry -> entry.outcome() == ImportEntry.Outcome.REFUSED);
  }

  long count(ImportEntry.Kind kind, ImportEntry.Outcome outcome) {
    return entries.stream()
        .filter(entry -> entry.kind() == kind && entry.outcome() == outcome)
        .count();
  }

  /** Returns the report as text for people. */
  public String text() {
    return new ImportReportFormatter(this).toString();
  }

  /** Returns the report for programs, as values that can be written as JSON. */
  public Map<String, Object> values() {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("ok", ok());
    values.put("dryRun", dryRun);
    values.put("at", at.toString());
    values.put("schema", schema);
    Map<String, Object> counts = new LinkedHashMap<>();
    for (ImportEntry.Kind kind : ImportEntry.Kind.values()) {
      Map<String, Object> byOutcome = new LinkedHashMap<>();
      for (ImportEntry.Outcome outcome : ImportEntry.Outcome.values()) {
        byOutcome.put(lower(outcome), count(kind, outcome));
      }
      counts.put(lower(kind), byOutcome);
    }
    values.put("counts", counts);
    List<Map<String, Object>> all = new ArrayList<>();
    entries.forEach(entry -> all.add(values(entry)));
    values.put("entries", all);
    Map<String, Object> left = new LinkedHashMap<>();
    left.put("rows", history.rows());
    left.put("executions", history.executions());
    left.put("first", text(history.first()));
    left.put("last", text(history.last()));
    values.put("historyNotImported", left);
    return values;
  }

  private static Map<String, Object> values(ImportEntry entry) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("kind", lower(entry.kind()));
    values.put("id", entry.id());
    values.put("outcome", lower(entry.outcome()));
    values.put("what", entry.what());
    values.put("notes", entry.notes());
    values.put("advice", entry.advice());
    return values;
  }

  private static @Nullable String text(@Nullable Instant at) {
    return at == null ? null : at.toString();
  }

  static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
