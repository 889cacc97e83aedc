package io.millrace.server.doctor;

import io.millrace.store.sql.SqlDoctor.Check;
import io.millrace.store.sql.SqlDoctor.Level;
import java.util.List;
import java.util.Map;

/** The results of an examination. */
public record DoctorReport(List<Check> checks) {

  /** False if a check has failed. */
  public boolean ok() {
    return count(Level.FAIL) == 0;
  }

  private long count(Level level) {
    return checks.stream().filter(check -> check.level() == level).count();
  }

  /** Returns the report as text for people. */
  public String text() {
    int width = checks.stream().mapToInt(check -> check.name().length()).max().orElse(1);
    StringBuilder text = new StringBuilder();
    for (Check check : checks) {
      text.append(
          ("%-4s  %-" + width + "s  %s%n").formatted(check.level(), check.name(), check.finding()));
      if (!check.advice().isEmpty()) {
        text.append(" ".repeat(width + 8)).append(check.advice()).append(System.lineSeparator());
      }
    }
    return text.append(
            "%s checks, %s warnings, %s failed%n"
                .formatted(checks.size(), count(Level.WARN), count(Level.FAIL)))
        .toString();
  }

  /** Returns the report as values that can be written as JSON. */
  public Map<String, Object> values() {
    return Map.of("ok", ok(), "checks", checks);
  }
}
