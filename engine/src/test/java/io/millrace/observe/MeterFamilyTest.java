package io.millrace.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MeterFamilyTest {

  private final List<String> made = new ArrayList<>();
  private final MeterFamily<String> meterFamily =
      new MeterFamily<>(
          2,
          (first, second) -> {
            made.add(first + "/" + second);
            return first + "/" + second;
          });

  @Test
  void makesOneMeterForEachPair() {
    assertThat(meterFamily.of("order", "ship")).isSameAs(meterFamily.of("order", "ship"));
    assertThat(meterFamily.of("order", "pay")).isEqualTo("order/pay");
    assertThat(made).containsExactly("order/ship", "order/pay");
  }

  @Test
  void pairsOverTheLimitShareOneMeter() {
    String first = meterFamily.of("order", "ship");
    meterFamily.of("order", "pay");
    assertThat(meterFamily.of("order", "third")).isEqualTo("other/other");
    assertThat(meterFamily.of("report", "fourth")).isSameAs(meterFamily.of("order", "third"));
    assertThat(meterFamily.of("order", "ship")).isSameAs(first);
    assertThat(made).containsExactly("order/ship", "order/pay", "other/other");
  }
}
