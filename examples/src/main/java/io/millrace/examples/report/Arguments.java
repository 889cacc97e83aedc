package io.millrace.examples.report;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parsed command line. */
sealed interface Arguments {

  String USAGE =
      """
      Reports on the history of a git repository, as a durable workflow: stop it or kill it at any
      time, and start it again; it goes on where it was. The next run reads new commits only.

      usage: repository-report [repository] [--data DIR] [--reports DIR]

        repository     any folder in a git repository, bare ones too   (default: .)
        --data DIR     where the state is kept                         (default: data)
        --reports DIR  where the report goes                           (default: reports)
        --help         shows this text
      """;

  /** A request for a report. */
  record Report(Path repository, OutputFolders folders) implements Arguments {}

  /** A request for the usage text. */
  record Help() implements Arguments {}

  /** An invalid command line. */
  record Invalid(String message) implements Arguments {}

  /** Reads the command line. */
  static Arguments of(List<String> arguments) {
    String repository = null;
    String data = "data";
    String reports = "reports";
    Deque<String> rest = new ArrayDeque<>(arguments);
    while (!rest.isEmpty()) {
      String argument = rest.remove();
      switch (argument) {
        case "--help", "-h" -> {
          return new Help();
        }
        case "--data", "--reports" -> {
          String folder = rest.poll();
          if (folder == null || folder.isEmpty()) {
            return new Invalid(argument + " names no folder; expected " + argument + " DIR.");
          }
          data = argument.equals("--data") ? folder : data;
          reports = argument.equals("--reports") ? folder : reports;
        }
        default -> {
          if (argument.startsWith("-")) {
            return new Invalid("Option '" + argument + "' is unknown; --help shows all there are.");
          }
          if (repository != null) {
            return new Invalid(
                "Two repositories are named, '%s' and '%s'; expected one at a time."
                    .formatted(repository, argument));
          }
          repository = argument;
        }
      }
    }
    return report(repository, data, reports);
  }

  private static Arguments report(@Nullable String repository, String data, String reports) {
    try {
      return new Report(
          Path.of(repository == null || repository.isEmpty() ? "." : repository),
          new OutputFolders(absolute(data), absolute(reports)));
    } catch (InvalidPathException e) {
      return new Invalid("'" + e.getInput() + "' is no valid path: " + e.getReason() + ".");
    }
  }

  private static Path absolute(String folder) {
    return Path.of(folder).toAbsolutePath().normalize();
  }
}
