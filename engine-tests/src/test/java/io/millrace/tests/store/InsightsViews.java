package io.millrace.tests.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** The script {@code docs/insights-views.sql}, which users apply by hand. */
final class InsightsViews {

  private static final Path SCRIPT = Path.of("../docs/insights-views.sql");

  private InsightsViews() {}

  /** Applies the script, statement by statement. */
  static void create(Consumer<String> execute) {
    try {
      String script = Files.readString(SCRIPT).replaceAll("--[^\n]*", "");
      Pattern.compile(";\\s*\n")
          .splitAsStream(script)
          .filter(statement -> !statement.isBlank())
          .forEach(execute);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
