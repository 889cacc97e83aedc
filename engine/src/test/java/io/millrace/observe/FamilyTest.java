package io.millrace.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FamilyTest {

  private final List<String> made = new ArrayList<>();
  private final Family<String> family =
      new Family<>(
          2,
          (first, second) -> {
            made.add(first + "/" + second);
            return first + "/" + second;
          });

  @Test
  void makesOneMeterForEachPair() {
    assertThat(family.of("order", "ship")).isSameAs(family.of("order", "ship"));
    assertThat(family.of("order", "pay")).isEqualTo("order/pay");
    assertThat(made).containsExactly("order/ship", "order/pay");
  }

  @Test
  void pairsOverTheLimitShareOneMeter() {
    String first = family.of("order", "ship");
    family.of("order", "pay");
    assertThat(family.of("order", "third")).isEqualTo("other/other");
    assertThat(family.of("report", "fourth")).isSameAs(family.of("order", "third"));
    assertThat(family.of("order", "ship")).isSameAs(first);
    assertThat(made).containsExactly("order/ship", "order/pay", "other/other");
  }
}
