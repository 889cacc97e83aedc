package io.millrace.verification.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.schedule.DstPolicy;
import io.millrace.schedule.ExclusionCalendar;
import io.millrace.schedule.ExclusionCalendar.Holiday;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.MisfirePolicy;
import io.millrace.schedule.OverlapPolicy;
import io.millrace.schedule.Schedule;
import io.millrace.schedule.ScheduleExplanation;
import io.millrace.schedule.ScheduleMapper;
import io.millrace.schedule.Slot;
import io.millrace.schedule.SlotPlan;
import io.millrace.schedule.SlotPlanner;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The programs of {@code docs/schedules.md}. */
class SchedulesPageTest {

  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");

  @Test
  void kindsOfSchedules() {
    // docs:kinds
    Schedule weekly =
        Schedule.of(Frequency.WEEKLY).zone(ZoneId.of("Europe/Berlin")).weekStart(DayOfWeek.MONDAY);
    Schedule sprint = Schedule.of(Frequency.BI_WEEKLY_SPRINT, LocalDate.of(2026, 9, 25), null);
    Schedule mornings = Schedule.cron("0 0 8 ? * MON-FRI", DstPolicy.EARLIER);
    Schedule often = Schedule.every(Duration.ofMinutes(15));
    // docs:end
    assertThat(weekly.next(NOW)).isEqualTo(Instant.parse("2026-11-22T23:00:01Z"));
    assertThat(sprint.first(NOW)).isEqualTo(Instant.parse("2026-10-09T00:00:01Z"));
    assertThat(mornings.next(NOW)).isEqualTo(Instant.parse("2026-11-23T08:00:00Z"));
    assertThat(often.next(NOW)).isEqualTo(Instant.parse("2026-11-22T12:15:00Z"));
  }

  @Test
  void policiesAndCalendars() {
    // docs:policies
    Schedule careful =
        Schedule.of(Frequency.DAILY)
            .misfire(MisfirePolicy.ALL)
            .catchUpLimit(30)
            .overlap(OverlapPolicy.BUFFER_ALL)
            .excluding(
                ExclusionCalendar.of(
                    "Germany", Holiday.yearly(LocalDate.of(2026, 12, 25), "Christmas")));
    // docs:end
    assertThat(careful.slot(Instant.parse("2026-12-25T00:00:01Z")).exclusionReason())
        .isEqualTo("calendar 'Germany': Christmas, 2026-12-25");
    assertThat(ScheduleMapper.read(ScheduleMapper.write(careful))).isEqualTo(careful);
  }

  @Test
  void aPlanAfterAnOutage() {
    Schedule schedule = Schedule.of(Frequency.DAILY);
    Instant nextRun = Instant.parse("2026-11-20T00:00:01Z");
    Instant now = NOW;
    // docs:plan
    SlotPlan slotPlan = SlotPlanner.plan(schedule, nextRun, now, false, Duration.ofMinutes(1));
    // docs:end
    assertThat(slotPlan.decisions()).hasSize(3);
    assertThat(slotPlan.fire().orElseThrow().reason()).isEqualTo("the latest of 3 due");
    assertThat(slotPlan.nextRun()).isEqualTo(Instant.parse("2026-11-23T00:00:01Z"));
  }

  @Test
  void anExplanation() {
    Instant now = NOW;
    // docs:explain
    ScheduleExplanation scheduleExplanation =
        ScheduleExplanation.of(Schedule.cron("0/30 0 0 ? * * *"), now);
    String words = scheduleExplanation.words();
    List<Slot> nextFive = scheduleExplanation.next();
    List<String> warnings = scheduleExplanation.warnings();
    // docs:end
    String page = String.join("\n", DocPage.read(DocPage.checkout(), "docs/schedules.md").lines());
    assertThat(nextFive).hasSize(5);
    assertThat(page).contains(words).contains(warnings.getFirst());
  }
}
