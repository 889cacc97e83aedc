package io.millrace.planted;

import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Distinguishes the first of two JVMs from the second, by a file. */
final class FirstTry {

  private FirstTry() {}

  static void fails() {
    try {
      Files.createFile(Path.of("target", "planted"));
    } catch (FileAlreadyExistsException e) {
      return;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    fail("planted");
  }
}
