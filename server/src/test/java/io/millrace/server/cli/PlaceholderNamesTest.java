package io.millrace.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that the placeholders of the commands name fields of the HTTP interface. */
final class PlaceholderNamesTest {

  private static final Path COMMANDS = Path.of("src/main/java/io/millrace/server/cli");
  private static final Path FIELDS = Path.of("src/main/resources/io/millrace/server/openapi.yaml");
  private static final Pattern TEXT = Pattern.compile("\"((?:[^\"\\\\\n]|\\\\.)*)\"");
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{([a-z][\\w.]*)(?::(\\w+))?[}?]");
  private static final Pattern COMPUTED = Pattern.compile("(?:with|put|set)\\(\\s*\"(\\w+)\"");

  private static Stream<MatchResult> placeholders(String source) {
    return TEXT.matcher(source)
        .results()
        .flatMap(text -> PLACEHOLDER.matcher(text.group(1)).results());
  }

  private static List<String> unknown(String source, String fields) {
    Set<String> known =
        Pattern.compile("(\\w+):")
            .matcher(fields)
            .results()
            .map(field -> field.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    COMPUTED.matcher(source).results().forEach(field -> known.add(field.group(1)));
    return placeholders(source)
        .flatMap(placeholder -> Stream.of(placeholder.group(1).split("\\.", -1)))
        .filter(field -> !known.contains(field))
        .toList();
  }

  private static List<String> sources() throws IOException {
    List<String> sources = new ArrayList<>();
    try (Stream<Path> files = Files.list(COMMANDS)) {
      for (Path file : files.filter(f -> f.toString().endsWith("Commands.java")).toList()) {
        sources.add(Files.readString(file));
      }
    }
    return sources;
  }

  @Test
  void everyFieldIsOneOfTheInterface() throws IOException {
    String fields = Files.readString(FIELDS);
    assertThat(sources())
        .hasSizeGreaterThan(8)
        .allSatisfy(source -> assertThat(unknown(source, fields)).isEmpty());
  }

  @Test
  void everyFormatIsKnown() throws IOException {
    TemplateValues none =
        new TemplateValues(ApiClient.JSON.missingNode(), ApiClient.JSON.createObjectNode());
    assertThat(sources())
        .flatMap(source -> placeholders(source).map(MatchResult::group).toList())
        .hasSizeGreaterThan(100)
        .filteredOn(placeholder -> placeholder.contains(":"))
        .allSatisfy(
            placeholder -> assertThatCode(() -> none.text(placeholder)).doesNotThrowAnyException());
  }

  @Test
  void aMistypedFieldIsSeen() {
    String source = "row.with(\"what\", x); line(\"{sequenceId} {run.chian} {what} {actr? by}\")";
    assertThat(unknown(source, "sequenceId: run: chain: actor:")).containsExactly("chian", "actr");
  }
}
