package io.millrace.planted;

import static org.assertj.core.api.Assertions.fail;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("planted")
class PlantedBrokenTest {

  @Test
  @Tag("broken")
  void neverPasses() {
    fail("planted");
  }

  @RepeatedTest(9)
  @Tag("many")
  void neverPassesInNineCases() {
    fail("planted");
  }
}
