package io.millrace.server;

import io.millrace.server.config.NearestName;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command or option that a mistyped one resembles. */
final class CommandSuggestion {

  /**
   * Number of letters by which a name may differ; a long name may differ by a third of its letters.
   */
  private static final int LETTERS = 2;

  private CommandSuggestion() {}

  /** Returns the nearest name; empty if no name is near. */
  static Optional<String> of(UnmatchedArgumentException e) {
    CommandSpec command = e.getCommandLine().getCommandSpec();
    List<String> unmatched = e.getUnmatched();
    if (unmatched.isEmpty()) {
      return Optional.empty();
    }
    String first = unmatched.getFirst();
    if (first.startsWith("-")) {
      int value = first.indexOf('=');
      return nearest(
          value < 0 ? first : first.substring(0, value),
          List.copyOf(command.optionsMap().keySet()));
    }
    return nearest(first, List.copyOf(command.subcommands().keySet()))
        .map(name -> command.qualifiedName() + " " + name);
  }

  private static Optional<String> nearest(String written, List<String> names) {
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(NearestName.to(written, names)).filter(name -> isNear(written, name));
  }

  private static boolean isNear(String written, String name) {
    int letters = written.replaceFirst("^-+", "").length();
    int distance = NearestName.distance(written, name);
    return distance < letters && distance <= Math.max(LETTERS, letters / 3);
  }
}
