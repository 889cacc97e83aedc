package io.millrace.report.kpi;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.schedule.DataWindow;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class DataWindowsTest {

  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  private static DataWindow window(String from, String to) {
    return new DataWindow(Instant.parse(from), Instant.parse(to));
  }

  @Test
  void theWindowBeforeOfAWeekIsAWeek() {
    assertThat(
            DataWindows.previous(
                window("2026-11-16T00:00:01Z", "2026-11-23T00:00:01Z"), ZoneOffset.UTC))
        .isEqualTo(window("2026-11-09T00:00:01Z", "2026-11-16T00:00:01Z"));
  }

  @Test
  void theWindowBeforeOfMarchIsFebruary() {
    assertThat(
            DataWindows.previous(
                window("2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z"), ZoneOffset.UTC))
        .isEqualTo(window("2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z"));
    assertThat(
            DataWindows.previous(
                window("2026-01-01T00:00:00Z", "2026-04-01T00:00:00Z"), ZoneOffset.UTC))
        .isEqualTo(window("2025-10-01T00:00:00Z", "2026-01-01T00:00:00Z"));
  }

  @Test
  void daysBeginAtTheZonesMidnightAlsoWhenClocksChange() {
    DataWindow week = window("2026-03-29T22:00:00Z", "2026-04-05T22:00:00Z");
    assertThat(DataWindows.previous(week, BERLIN))
        .isEqualTo(window("2026-03-22T23:00:00Z", "2026-03-29T22:00:00Z"));
  }

  @Test
  void otherWindowsAreMovedByTheirLength() {
    assertThat(
            DataWindows.previous(
                window("2026-11-16T10:00:00Z", "2026-11-16T13:30:00Z"), ZoneOffset.UTC))
        .isEqualTo(window("2026-11-16T06:30:00Z", "2026-11-16T10:00:00Z"));
  }

  @Test
  void aWeekHasSevenDaysWithoutGaps() {
    DataWindow week = window("2026-11-16T00:00:01Z", "2026-11-23T00:00:01Z");
    List<DataWindows.Part> days = DataWindows.parts(week, ZoneOffset.UTC, WindowSplit.AUTO);
    assertThat(days)
        .extracting(DataWindows.Part::label)
        .hasSize(7)
        .startsWith("2026-11-16")
        .endsWith("2026-11-22");
    joins(week, days);
  }

  @Test
  void aLongWindowIsSplitIntoWeeks() {
    DataWindow quarter = window("2026-07-01T00:00:00Z", "2026-10-01T00:00:00Z");
    List<DataWindows.Part> weeks = DataWindows.parts(quarter, ZoneOffset.UTC, WindowSplit.AUTO);
    assertThat(weeks).hasSize(14);
    joins(quarter, weeks);
    assertThat(DataWindows.parts(quarter, ZoneOffset.UTC, WindowSplit.DAY)).hasSize(92);
    joins(
        window("2026-10-19T22:00:00Z", "2026-10-26T23:00:00Z"),
        DataWindows.parts(
            window("2026-10-19T22:00:00Z", "2026-10-26T23:00:00Z"), BERLIN, WindowSplit.DAY));
  }

  private static void joins(DataWindow whole, List<DataWindows.Part> parts) {
    assertThat(parts.getFirst().window().from()).isEqualTo(whole.from());
    assertThat(parts.getLast().window().to()).isEqualTo(whole.to());
    for (int i = 1; i < parts.size(); i++) {
      assertThat(parts.get(i).window().from()).isEqualTo(parts.get(i - 1).window().to());
    }
  }
}
