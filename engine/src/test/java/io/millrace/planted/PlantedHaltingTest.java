package io.millrace.planted;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("planted")
class PlantedHaltingTest {

  @Test
  @Tag("halting")
  void endsItsJvm() {
    Runtime.getRuntime().halt(3);
  }
}
