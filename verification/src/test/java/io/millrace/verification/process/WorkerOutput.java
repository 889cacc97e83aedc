package io.millrace.verification.process;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parsed output of a {@link WorkerProcess}. */
record WorkerOutput(List<String> lines) {

  private static final Pattern BEGIN = Pattern.compile("BEGIN (\\w+) (\\d+) (\\d+)");
  private static final Pattern LOSS = Pattern.compile("The lease of instance (\\d+) .*passed on");

  /** The call of a handler, with the time by the machine's clock. */
  record HandlerStart(String state, long millis) {}

  List<HandlerStart> begins(long id) {
    return lines.stream()
        .map(BEGIN::matcher)
        .filter(Matcher::matches)
        .filter(m -> Long.parseLong(m.group(2)) == id)
        .map(m -> new HandlerStart(m.group(1), Long.parseLong(m.group(3))))
        .toList();
  }

  /** Returns the number of reported losses for each lost instance. */
  Map<Long, Integer> lossesByInstance() {
    Map<Long, Integer> times = new HashMap<>();
    for (String line : lines) {
      Matcher m = LOSS.matcher(line);
      if (m.find()) {
        times.merge(Long.parseLong(m.group(1)), 1, Integer::sum);
      }
    }
    return times;
  }

  long leaseLosses() {
    return lines.stream().filter(line -> line.contains("and drops")).count();
  }
}
