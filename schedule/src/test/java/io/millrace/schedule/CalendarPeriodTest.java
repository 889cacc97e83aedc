package io.millrace.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CalendarPeriodTest {

  @ParameterizedTest
  @CsvSource({
    "LOCAL_DATE,  2026-03-01T04:30:00Z, America/New_York,    2026-02-28",
    "LOCAL_DATE,  2026-04-23T22:00:00Z, Africa/Cairo,        2026-04-24",
    "ISO_WEEK,    2027-01-03T12:00:00Z, UTC,                 2026-W53",
    "ISO_WEEK,    2026-03-01T23:30:00Z, Africa/Johannesburg, 2026-W10",
    "LOCAL_MONTH, 2026-03-01T04:30:00Z, America/New_York,    2026-02",
    "LOCAL_HOUR,  2026-11-01T05:30:00Z, America/New_York,    2026-11-01T01-04:00",
    "LOCAL_HOUR,  2026-11-01T06:30:00Z, America/New_York,    2026-11-01T01-05:00",
    "LOCAL_HOUR,  2026-03-01T04:30:00Z, UTC,                 2026-03-01T04+00:00"
  })
  void keysAreThoseOfTheZonesCalendar(
      CalendarPeriod calendarPeriod, Instant at, ZoneId zone, String key) {
    assertThat(calendarPeriod.key(at, zone)).isEqualTo(key);
  }

  @Test
  void anUnknownNameIsAnswered() {
    assertThat(CalendarPeriod.of("iso-week")).isEqualTo(CalendarPeriod.ISO_WEEK);
    assertThatThrownBy(() -> CalendarPeriod.of("sprint"))
        .isInstanceOf(InvalidScheduleException.class)
        .hasMessage(
            "Period 'sprint' is unknown; expected one of LOCAL_DATE, ISO_WEEK, LOCAL_MONTH, LOCAL_HOUR.");
  }
}
