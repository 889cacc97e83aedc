package io.millrace.planted;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("planted")
class PlantedFlakyTest {

  @Test
  @Tag("flaky")
  void passesAtTheSecondTry() {
    FirstTry.fails();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "b", "c"})
  @Tag("case")
  void oneCasePassesAtTheSecondTry(String name) {
    if (name.equals("b")) {
      FirstTry.fails();
    }
  }
}
