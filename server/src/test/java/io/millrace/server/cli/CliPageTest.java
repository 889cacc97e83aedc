package io.millrace.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Tests that the program accepts the commands on the documentation page. */
class CliPageTest {
  private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|([^\\s'\"]+)");

  private static CommandLine program(String... arguments) {
    return CliProgram.commands(arguments);
  }

  private static List<String> shown() throws IOException {
    return Files.readAllLines(Path.of("../docs/cli.md")).stream()
        .filter(line -> line.startsWith("millrace "))
        .map(line -> line.replaceAll("\\s+#.*", ""))
        .toList();
  }

  private static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    Matcher matcher = WORD.matcher(line);
    while (matcher.find()) {
      words.add(matcher.group().replaceAll("^['\"]|['\"]$", ""));
    }
    return words.subList(1, words.size());
  }

  @Test
  void everyLineIsUnderstood() throws IOException {
    assertThat(shown()).hasSizeGreaterThan(15);
    for (String line : shown()) {
      String[] words = words(line).toArray(String[]::new);
      assertThatCode(() -> program(words).parseArgs(words)).as(line).doesNotThrowAnyException();
    }
  }

  @Test
  void everyCommandAndExitCodeIsOnThePage() throws IOException {
    String page = Files.readString(Path.of("../docs/cli.md"));
    for (Map.Entry<String, CommandLine> command : program().getSubcommands().entrySet()) {
      assertThat(page).contains(command.getKey());
      command.getValue().getSubcommands().keySet().forEach(name -> assertThat(page).contains(name));
    }
    for (int code = ExitCodes.OK; code <= ExitCodes.UNREACHABLE; code++) {
      assertThat(page).contains("| " + code + " |");
    }
  }
}
