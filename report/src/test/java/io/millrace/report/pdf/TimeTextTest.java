package io.millrace.report.pdf;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.schedule.DataWindow;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class TimeTextTest {

  private static String window(String from, String to, ZoneId zone) {
    return TimeText.window(new DataWindow(Instant.parse(from), Instant.parse(to)), zone);
  }

  @Test
  void wholeDaysAreWrittenAsDays() {
    ZoneId utc = ZoneOffset.UTC;
    assertThat(window("2026-11-16T00:00:00Z", "2026-11-23T00:00:00Z", utc))
        .isEqualTo("16 – 22 November 2026");
    assertThat(window("2026-11-30T00:00:01Z", "2026-12-07T00:00:01Z", utc))
        .isEqualTo("30 November – 6 December 2026");
    assertThat(window("2025-12-29T00:00:00Z", "2026-01-05T00:00:00Z", utc))
        .isEqualTo("29 December 2025 – 4 January 2026");
    assertThat(window("2026-11-16T00:00:00Z", "2026-11-17T00:00:00Z", utc))
        .isEqualTo("16 November 2026");
    assertThat(window("2026-11-15T23:00:00Z", "2026-11-22T23:00:00Z", ZoneId.of("Europe/Berlin")))
        .isEqualTo("16 – 22 November 2026");
  }

  @Test
  void otherTimesAreWrittenToTheMinute() {
    assertThat(window("2026-11-16T08:30:00Z", "2026-11-16T09:00:00Z", ZoneId.of("Europe/Berlin")))
        .isEqualTo("16 November 2026, 09:30 CET – 16 November 2026, 10:00 CET");
    assertThat(TimeText.moment(Instant.parse("2026-11-16T08:30:59Z"), ZoneOffset.UTC))
        .isEqualTo("16 November 2026, 08:30 UTC");
  }
}
