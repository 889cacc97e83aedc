package io.millrace.examples.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AxisScaleTest {

  @ParameterizedTest
  @CsvSource({
    "0, 1, 1",
    "1, 1, 1",
    "5, 5, 1",
    "6, 6, 2",
    "11, 15, 5",
    "26, 30, 10",
    "99, 100, 20",
    "1234, 1500, 500"
  })
  void endsAtARoundNumber(long largest, long top, long step) {
    assertThat(AxisScale.upTo(largest)).isEqualTo(new AxisScale(top, step));
  }

  @Test
  void hasAtMostSixLines() {
    for (long largest = 1; largest < 100_000; largest += 37) {
      assertThat(AxisScale.upTo(largest).lines()).hasSizeBetween(2, 6).contains(0L);
      assertThat(AxisScale.upTo(largest).top()).isGreaterThanOrEqualTo(largest);
    }
  }
}
