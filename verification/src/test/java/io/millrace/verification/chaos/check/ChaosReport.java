package io.millrace.verification.chaos.check;

import java.util.List;
import java.util.Map;

/** A report on a run, with its findings. */
public final class ChaosReport {

  private final List<Checker.Finding> findings;
  private final Map<String, String> counts;
  private final Map<String, String> times;

  ChaosReport(
      List<Checker.Finding> findings, Map<String, String> counts, Map<String, String> times) {
    this.findings = findings;
    this.counts = counts;
    this.times = times;
  }

  /** Returns the total number of violations. */
  public long violations() {
    return findings.stream().mapToLong(Checker.Finding::number).sum();
  }

  /** Returns one of the counts, by its name in the report; 0 if it does not exist. */
  public long count(String name) {
    return Long.parseLong(counts.getOrDefault(name, "0"));
  }

  /** Returns the checks that found a violation. */
  List<Check> violated() {
    return findings.stream().filter(f -> f.number() > 0).map(Checker.Finding::check).toList();
  }

  /**
   * Returns the report as Markdown.
   *
   * @param about lines about the run
   */
  public String text(List<String> about) {
    StringBuilder text = new StringBuilder("# Chaos\n\n");
    about.forEach(line -> text.append("- ").append(line).append('\n'));
    text.append("- violations: ").append(violations()).append('\n');
    text.append("\n## Invariants\n\n| invariant | what must hold | violations |\n|---|---|---|\n");
    for (Checker.Finding finding : findings) {
      row(text, finding.check().invariant(), finding.check().description(), "" + finding.number());
    }
    text.append("\n## Times\n\n| what | numbers |\n|---|---|\n");
    times.forEach((name, value) -> row(text, name, value));
    text.append("\n## Counts\n\n| what | number |\n|---|---|\n");
    counts.forEach((name, value) -> row(text, name, value));
    for (Checker.Finding finding : findings) {
      if (finding.number() > 0) {
        text.append("\n## Violated: ").append(finding.check().description()).append("\n\n");
        finding.violations().forEach(line -> text.append("- ").append(line).append('\n'));
      }
    }
    return text.toString();
  }

  private static void row(StringBuilder text, String... cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }
}
