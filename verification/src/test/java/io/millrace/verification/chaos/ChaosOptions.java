package io.millrace.verification.chaos;

import io.millrace.verification.chaos.nemesis.FaultKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The options of a run.
 *
 * @param length time during which faults are injected
 * @param seed seed that determines the faults and their order
 * @param only faults that may be injected; all if empty
 * @param report file of the report; null for the default location
 */
record ChaosOptions(Duration length, long seed, Set<FaultKind> only, @Nullable Path report) {

  static final String USAGE =
      "Usage: script/chaos --minutes M [--seed S] [--only KIND,KIND] [--report FILE]; M may be a fraction,"
          + " a KIND is one of "
          + List.of(FaultKind.values());

  /** Returns the options of a run with all faults. */
  static ChaosOptions of(Duration length, long seed) {
    return new ChaosOptions(length, seed, Set.of(), null);
  }

  /** Returns the file of the report. */
  Path file() {
    return report != null ? report : Path.of("target/chaos/report-" + seed + ".md");
  }

  /** Returns the command that starts the same run again. */
  String command() {
    String kinds = only.stream().map(FaultKind::name).collect(Collectors.joining(","));
    return "script/chaos --minutes "
        + length.toSeconds() / 60.0
        + " --seed "
        + seed
        + (kinds.isEmpty() ? "" : " --only " + kinds);
  }

  /** Reads the arguments of the command line. */
  static ChaosOptions parse(List<String> args) {
    if (args.size() % 2 != 0) {
      throw new IllegalArgumentException(USAGE);
    }
    ChaosOptions options = of(Duration.ofMinutes(3), System.nanoTime() % 1_000_000);
    for (int i = 0; i < args.size(); i += 2) {
      try {
        options = options.with(args.get(i), args.get(i + 1));
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(
            args.get(i) + " needs a number, not '" + args.get(i + 1) + "'. " + USAGE, e);
      }
    }
    return options;
  }

  private ChaosOptions with(String name, String value) {
    return switch (name) {
      case "--minutes" -> {
        long millis = (long) (Double.parseDouble(value) * 60_000);
        yield new ChaosOptions(Duration.ofMillis(millis), seed, only, report);
      }
      case "--seed" -> new ChaosOptions(length, Long.parseLong(value), only, report);
      case "--only" -> new ChaosOptions(length, seed, kinds(value), report);
      case "--report" -> new ChaosOptions(length, seed, only, Path.of(value));
      default -> throw new IllegalArgumentException(USAGE);
    };
  }

  private static Set<FaultKind> kinds(String value) {
    try {
      return EnumSet.copyOf(Arrays.stream(value.split(",")).map(FaultKind::valueOf).toList());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("'" + value + "' names an unknown fault. " + USAGE, e);
    }
  }
}
