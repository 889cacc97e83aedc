package io.millrace.verification.planted;

import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("planted")
class PlantedFlakyTest {

  @Test
  @Tag("flaky")
  void passesAtTheSecondTry() throws IOException {
    Path tried = Path.of("target", "planted");
    if (Files.notExists(tried)) {
      Files.createFile(tried);
      fail("planted");
    }
  }
}
