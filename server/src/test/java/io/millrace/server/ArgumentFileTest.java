package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.InvalidRequestException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArgumentFileTest {

  @TempDir private Path folder;

  private String file(byte[] content) throws IOException {
    return "@" + Files.write(folder.resolve("arguments.txt"), content);
  }

  private String file(String content) throws IOException {
    return file(content.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void eachLineIsAnArgumentWithAllItsCharacters() throws IOException {
    String[] expected = {"start", "order", "--business-key", "Zoë-😀?", " --json "};
    assertThat(ArgumentFile.expanded(file("start\norder\n--business-key\nZoë-😀?\n --json ")))
        .containsExactly(expected);
    assertThat(
            ArgumentFile.expanded(
                file("\uFEFFstart\r\norder\r\n\r\n--business-key\r\nZoë-😀?\r\n"), " --json "))
        .as("as editors on Windows write it")
        .containsExactly(expected);
  }

  @Test
  void onlyTheFirstArgumentNamesAFile() {
    String[] given = {"start", "order", "--input", "@order.json"};
    assertThat(ArgumentFile.expanded(given)).isSameAs(given);
    assertThat(ArgumentFile.expanded()).isEmpty();
  }

  @Test
  void aFileInAnotherEncodingIsRefused() throws IOException {
    String file = file("start Zoë".getBytes(StandardCharsets.UTF_16));
    assertThatThrownBy(() -> ArgumentFile.expanded(file))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContainingAll("arguments.txt' is not UTF-8", "Set-Content -Encoding utf8");
  }

  @Test
  void aMissingFileIsNamed() {
    assertThatThrownBy(() -> ArgumentFile.expanded("@" + folder.resolve("missing.txt")))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContainingAll("missing.txt' cannot be read", "one argument on each line");
  }
}
