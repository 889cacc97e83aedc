package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.InvalidRequestException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TypedArgumentsTest {

  private static final String LOST = "Zo\uFFFD\uFFFD";

  private static byte[] bytes(String commandLine) {
    return commandLine.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void whatLostNothingStaysAsItIs() {
    String[] given = {"list", "", "Zoë-😀"};
    assertThat(TypedArguments.of(given)).isSameAs(given);
  }

  @Test
  void whatWasLostIsTakenFromTheEndOfTheCommandLine() {
    byte[] line = bytes("java\0-Dx=Zoë\0Main\0start\0\0Zoë\0A-😀\0");
    assertThat(TypedArguments.recovered(line, "start", "", LOST, "A-\uFFFD\uFFFD\uFFFD\uFFFD"))
        .containsExactly("start", "", "Zoë", "A-😀");
    assertThat(TypedArguments.recovered(bytes("\uFFFD\0"), "\uFFFD")).containsExactly("\uFFFD");
  }

  /** The arguments may come from a file, as with {@code java @file}. */
  @Test
  void anotherWordOfTheCommandLineIsNotTaken() {
    assertThatThrownBy(() -> TypedArguments.recovered(bytes("java\0@file\0"), "start", LOST))
        .isInstanceOf(InvalidRequestException.class);
  }

  @Test
  void whatCannotBeToldIsRefused() {
    byte[] latin = "java\0Main\0start\0Zo\u00EB\0".getBytes(StandardCharsets.ISO_8859_1);
    for (byte[] line : new byte[][] {latin, {}, bytes("Zoë")}) {
      assertThatThrownBy(() -> TypedArguments.recovered(line, "start", LOST))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContainingAll("Argument 2", LOST, "LC_ALL=C.UTF-8");
    }
  }
}
