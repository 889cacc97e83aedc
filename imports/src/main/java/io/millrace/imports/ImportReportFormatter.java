package io.millrace.imports;

import java.util.List;
import java.util.Locale;

/** A report as text for people: first the entries that need action, then the others. */
final class ImportReportFormatter {

  private final StringBuilder text = new StringBuilder();

  ImportReportFormatter(ImportReport report) {
    line(
        "Import from schema '"
            + clean(report.schema())
            + "' at "
            + report.at()
            + (report.dryRun() ? ". Dry run: nothing was changed." : "."));
    line("");
    for (ImportEntry.Kind kind : ImportEntry.Kind.values()) {
      StringBuilder counts = new StringBuilder();
      for (ImportEntry.Outcome outcome : ImportEntry.Outcome.values()) {
        counts.append(
            String.format(
                Locale.ROOT, "  %s %d", ImportReport.lower(outcome), report.count(kind, outcome)));
      }
      line(String.format(Locale.ROOT, "%-9s%s", ImportReport.lower(kind) + "s", counts));
    }
    history(report.history());
    for (ImportEntry.Outcome outcome :
        List.of(
            ImportEntry.Outcome.REFUSED,
            ImportEntry.Outcome.DIFFERENT,
            ImportEntry.Outcome.REPLACED,
            ImportEntry.Outcome.ADDED,
            ImportEntry.Outcome.EQUAL)) {
      entries(report, outcome);
    }
  }

  private void history(SourceHistory history) {
    if (history.rows() > 0) {
      line(
          String.format(
              Locale.ROOT,
              "history    %d rows of %d executions from %s to %s stay in the source: executions here have task"
                  + " visits and data windows, which those rows do not have",
              history.rows(),
              history.executions(),
              history.first(),
              history.last()));
    }
  }

  private void entries(ImportReport report, ImportEntry.Outcome outcome) {
    List<ImportEntry> some =
        report.entries().stream()
            .filter(entry -> entry.outcome() == outcome)
            .filter(entry -> outcome != ImportEntry.Outcome.EQUAL || !entry.notes().isEmpty())
            .toList();
    if (some.isEmpty()) {
      return;
    }
    line("");
    line(ImportReport.lower(outcome));
    for (ImportEntry entry : some) {
      String what = entry.what().isEmpty() ? "" : ": " + entry.what();
      line("  " + ImportReport.lower(entry.kind()) + " " + entry.id() + what);
      entry.notes().forEach(note -> line("    " + note));
      if (entry.advice() != null) {
        line("    " + entry.advice());
      }
    }
  }

  private void line(String line) {
    text.append(clean(line)).append(System.lineSeparator());
  }

  /** Replaces control characters, so that texts of the source cannot control the terminal. */
  private static String clean(String line) {
    return line.replaceAll("[\\p{Cc}\\x{202A}-\\x{202E}\\x{2066}-\\x{2069}]", "\uFFFD");
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
