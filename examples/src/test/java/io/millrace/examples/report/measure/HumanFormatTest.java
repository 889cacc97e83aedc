package io.millrace.examples.report.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HumanFormatTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | 0",
        "9999 | 9,999",
        "10000 | 10.0k",
        "12345 | 12.3k",
        "999499 | 999k",
        "999500 | 1.00M",
        "4567890 | 4.57M",
        "1234567890123 | 1.23T"
      })
  void shortNumbersHaveThreeDigits(long number, String words) {
    assertThat(HumanFormat.abbreviate(number)).isEqualTo(words);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | 0 s",
        "59 | 59 s",
        "60 | 1 min",
        "61 | 1 min 1 s",
        "7500 | 2 h 5 min",
        "86400 | 1 day",
        "180000 | 2 days 2 h",
        "8640000 | 100 days"
      })
  void durationsHaveTwoUnits(long seconds, String words) {
    assertThat(HumanFormat.duration(Duration.ofSeconds(seconds))).isEqualTo(words);
  }

  @Test
  void countsKnowOneFromMany() {
    assertThat(HumanFormat.count(1, "commit")).isEqualTo("1 commit");
    assertThat(HumanFormat.count(12345, "commit")).isEqualTo("12,345 commits");
    assertThat(HumanFormat.day(LocalDate.of(2026, 3, 3))).isEqualTo("3 Mar 2026");
    assertThat(HumanFormat.share(1, 1000)).isEqualTo("< 1 %");
    assertThat(HumanFormat.share(1, 3)).isEqualTo("33 %");
    assertThat(HumanFormat.seconds(Duration.ofMillis(1234))).isEqualTo("1.2 s");
  }
}
