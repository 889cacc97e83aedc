package io.millrace.server.demo;

import io.millrace.instance.Deed;
import io.millrace.instance.MillraceException;
import io.millrace.report.ReportComponent;
import io.millrace.schedule.ExclusionCalendar;
import io.millrace.schedule.ExclusionCalendar.Holiday;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.Sequences;
import io.millrace.sequence.TaskSequence;
import io.millrace.server.demo.shop.Office;
import io.millrace.server.report.Reports;
import io.millrace.store.ScheduleStore.Flags;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts the shop's regular work on the calendar: the first time with a past of two weeks. */
final class Agenda {

  static final String DAILY = "Shop_daily";
  static final String RATES = "Shop_rates";
  static final String STOCK = "Shop_stock";
  static final String ARCHIVE = "Shop_archive";
  static final String NEWSLETTER = "Shop_newsletter";
  static final String REPORT = "Report_weekly";

  private static final Logger LOG = LoggerFactory.getLogger(Agenda.class);
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final Duration DAYS = Duration.ofDays(14);
  private static final Duration HOURS = Duration.ofHours(36);
  private static final Deed DEED = Deed.by("demo", "a past for the calendar");

  private final Sequences sequences;
  private final Instant now;

  Agenda(Sequences sequences, Instant now) {
    this.sequences = sequences;
    this.now = now;
  }

  /** Adds what is missing, also what people have removed; what they changed or paused stays so. */
  void open() {
    Schedule every6 = Schedule.cron("0 0 6 * * ? *").zone(BERLIN);
    if (add(
        TaskSequence.of(DAILY, Office.TYPE, every6)
            .task(Office.SALES)
            .task(Office.BOOKS)
            .task(Office.SUMMARY))) {
      sequences.backfill(DAILY, now.minus(DAYS), now, DEED);
    }
    Schedule hourly = Schedule.every(Duration.ofHours(1), now.minus(HOURS));
    if (add(TaskSequence.of(RATES, Office.TYPE, hourly).task(Office.RATES))) {
      sequences.backfill(RATES, now.minus(HOURS), now, DEED);
    }
    if (add(TaskSequence.of(STOCK, Office.TYPE, workdays()).task(Office.STOCK))) {
      sequences.backfill(STOCK, now.minus(DAYS), now, DEED);
    }
    Schedule monthly = Schedule.cron("0 0 2 1 * ? *").zone(BERLIN);
    if (add(TaskSequence.of(ARCHIVE, Office.TYPE, monthly).task(Office.ARCHIVE))) {
      sequences.runNow(ARCHIVE, Map.of(), DEED);
    }
    Schedule weekly = Schedule.of(Frequency.WEEKLY).zone(BERLIN);
    if (add(TaskSequence.of(NEWSLETTER, Office.TYPE, weekly).task(Office.NEWSLETTER))) {
      sequences.pause(NEWSLETTER, Deed.by("carla", "the pictures are not ready"));
    }
  }

  /** On working days, with the outing of the company and the holidays of the land left out. */
  private Schedule workdays() {
    LocalDate today = now.atZone(BERLIN).toLocalDate();
    return Schedule.cron("0 30 8 ? * MON-FRI *")
        .zone(BERLIN)
        .excluding(
            ExclusionCalendar.of(
                "closed",
                Holiday.on(workday(today.minusDays(9)), "stocktaking"),
                Holiday.on(workday(today.plusDays(5)), "works outing"),
                Holiday.yearly(LocalDate.of(2000, 1, 1), "New Year"),
                Holiday.yearly(LocalDate.of(2000, 5, 1), "Labour Day"),
                Holiday.yearly(LocalDate.of(2000, 10, 3), "German Unity Day"),
                Holiday.yearly(LocalDate.of(2000, 12, 25), "Christmas Day"),
                Holiday.yearly(LocalDate.of(2000, 12, 26), "Second Day of Christmas")));
  }

  /** Returns the day itself, or the Monday after it if it is on a weekend. */
  static LocalDate workday(LocalDate day) {
    return switch (day.getDayOfWeek()) {
      case SATURDAY -> day.plusDays(2);
      case SUNDAY -> day.plusDays(1);
      default -> day;
    };
  }

  /** The report of a git repository: every week, and once now unless it is paused or not active. */
  void report() {
    Schedule weekly =
        Schedule.of(Frequency.WEEKLY).weekStart(now.atZone(ZoneOffset.UTC).getDayOfWeek());
    add(
        TaskSequence.of(REPORT, Reports.TYPE, weekly)
            .task(ReportComponent.KPI)
            .task(ReportComponent.PDF)
            .parameter(ReportComponent.REPORT, "weekly-report"));
    Flags flags = sequences.get(REPORT).flags();
    if (!flags.active() || flags.pausedBy() != null) {
      LOG.info("There is no report of this start: {} is paused or not active", REPORT);
      return;
    }
    try {
      sequences.runNow(REPORT, Map.of(), Deed.by("demo", "the report of the start"));
    } catch (MillraceException e) {
      LOG.info("There is no report of this start: {}", e.getMessage());
    }
  }

  private boolean add(TaskSequence sequence) {
    if (sequences.find(sequence.workflowId()).isPresent()) {
      return false;
    }
    sequences.add(sequence);
    return true;
  }
}
