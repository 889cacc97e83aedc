package io.millrace.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that the page on the configuration contains the table of keys. */
class ConfigurationPageTest {

  private static final Path PAGE = Path.of("../docs/configuration.md");

  private static String row(ConfigKey<?> configKey) {
    String fallback = configKey.fallback();
    return "| `%s` | %s | %s |"
        .formatted(
            configKey.path(),
            fallback == null || fallback.isEmpty() ? "" : "`" + fallback + "`",
            configKey.meaning() + (configKey.secret() ? " (secret)" : ""));
  }

  @Test
  void thePageHasEveryKeyAndNoOther() throws IOException {
    List<String> rows =
        Files.readAllLines(PAGE).stream().filter(line -> line.startsWith("| `")).toList();
    assertThat(rows).containsExactlyElementsOf(ConfigKeys.all().stream().map(k -> row(k)).toList());
  }
}
