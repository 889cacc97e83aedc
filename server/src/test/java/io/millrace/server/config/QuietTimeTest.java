package io.millrace.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuietTimeTest {

  /** 2026-01-05 is a Monday. */
  @ParameterizedTest
  @CsvSource({
    "08:00-12:00,             2026-01-05T08:00, true",
    "08:00-12:00,             2026-01-05T12:00, false",
    "08:00-12:00,             2026-01-05T07:59, false",
    "22:00-06:00,             2026-01-05T23:00, true",
    "22:00-06:00,             2026-01-05T05:59, true",
    "22:00-06:00,             2026-01-05T06:00, false",
    "MON 08:00 - 12:00,       2026-01-05T09:00, true",
    "mon 08:00-12:00,         2026-01-06T09:00, false",
    "sun 22:00-06:00,         2026-01-05T05:00, true",
    "sun 22:00-06:00,         2026-01-05T22:00, false",
    "sat-sun 00:00-24:00,     2026-01-04T23:59, true",
    "sat-sun 00:00-24:00,     2026-01-05T00:00, false",
    "fri-mon 00:00-24:00,     2026-01-05T12:00, true",
    "fri-mon 00:00-24:00,     2026-01-06T12:00, false"
  })
  void aMomentIsInItOrNot(String text, LocalDateTime moment, boolean inside) {
    assertThat(QuietTime.parse(text).holds(moment)).isEqualTo(inside);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "8:00-12:00", "08:00", "25:00-26:00", "xyz 08:00-09:00", "24:00-08:00"})
  void whatIsNoneIsRefused(String text) {
    assertThatThrownBy(() -> QuietTime.parse(text)).isInstanceOf(RuntimeException.class);
  }

  @Test
  void theZoneSaysWhatTimeItIs() {
    List<QuietTime> night = List.of(QuietTime.parse("22:00-06:00"));
    Instant moment = Instant.parse("2026-01-05T21:30:00Z");

    assertThat(silence(night, "Europe/Berlin").isQuiet(moment)).isTrue();
    assertThat(silence(night, "UTC").isQuiet(moment)).isFalse();
  }

  private static ObservabilityConfig.QuietPeriods silence(List<QuietTime> quiet, String zone) {
    return new ObservabilityConfig.QuietPeriods(Duration.ofMinutes(1), quiet, ZoneId.of(zone));
  }
}
