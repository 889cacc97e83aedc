package io.millrace.server.doctor;

import io.millrace.store.sql.SqlDoctor.Check;
import io.millrace.store.sql.SqlDoctor.Level;
import java.util.List;
import java.util.Map;

/** What the doctor found. */
public record DoctorReport(List<Check> checks) {

  /** False if something does not work. */
  public boolean ok() {
    return count(Level.FAIL) == 0;
  }

  private long count(Level level) {
    return checks.stream().filter(check -> check.level() == level).count();
  }

  /** For people. */
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

  /** For programs: the same in values that can be written as JSON. */
  public Map<String, Object> values() {
    return Map.of("ok", ok(), "checks", checks);
  }
}
