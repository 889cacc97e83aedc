package io.millrace.server.migrate;

import java.util.List;
import java.util.Locale;

/** A report for people: what needs somebody first, then what was done. */
final class ReportText {

  private final StringBuilder text = new StringBuilder();

  ReportText(ImportReport report) {
    line(
        "Import from schema '"
            + clean(report.schema())
            + "' at "
            + report.at()
            + (report.dryRun() ? ". Dry run: nothing was changed." : "."));
    line("");
    for (Entry.Kind kind : Entry.Kind.values()) {
      StringBuilder counts = new StringBuilder();
      for (Entry.Outcome outcome : Entry.Outcome.values()) {
        counts.append(
            String.format(
                Locale.ROOT, "  %s %d", ImportReport.lower(outcome), report.count(kind, outcome)));
      }
      line(String.format(Locale.ROOT, "%-9s%s", ImportReport.lower(kind) + "s", counts));
    }
    history(report.history());
    for (Entry.Outcome outcome :
        List.of(
            Entry.Outcome.REFUSED,
            Entry.Outcome.DIFFERENT,
            Entry.Outcome.REPLACED,
            Entry.Outcome.ADDED,
            Entry.Outcome.EQUAL)) {
      entries(report, outcome);
    }
  }

  private void history(SourceHistory history) {
    if (history.rows() > 0) {
      line(
          String.format(
              Locale.ROOT,
              "history    %d rows of %d executions from %s to %s stay in the source: executions here have steps and"
                  + " windows that they do not have",
              history.rows(),
              history.executions(),
              history.first(),
              history.last()));
    }
  }

  private void entries(ImportReport report, Entry.Outcome outcome) {
    List<Entry> some =
        report.entries().stream()
            .filter(entry -> entry.outcome() == outcome)
            .filter(entry -> outcome != Entry.Outcome.EQUAL || !entry.notes().isEmpty())
            .toList();
    if (some.isEmpty()) {
      return;
    }
    line("");
    line(ImportReport.lower(outcome));
    for (Entry entry : some) {
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

  /** Texts of the source must not steer the terminal. */
  private static String clean(String line) {
    return line.replaceAll("[\\p{Cc}\\x{202A}-\\x{202E}\\x{2066}-\\x{2069}]", "\uFFFD");
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
