package io.millrace.planted;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("planted")
@Tag("setup")
class PlantedSetUpTest {

  @BeforeAll
  static void failsAtTheFirstTry() {
    FirstTry.fails();
  }

  @Test
  void passes() {}
}
