package io.millrace.demo;

import io.millrace.demo.shop.OfficeTasks;
import io.millrace.instance.MillraceException;
import io.millrace.instance.OperatorAction;
import io.millrace.report.ReportComponent;
import io.millrace.schedule.ExclusionCalendar;
import io.millrace.schedule.ExclusionCalendar.Holiday;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.SequenceService;
import io.millrace.sequence.TaskSequence;
import io.millrace.server.report.ReportService;
import io.millrace.store.SequenceStore.Flags;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shop's regular work on the calendar; the first start also gives it a history of two weeks.
 */
final class DemoSequences {

  static final String DAILY = "Shop_daily";
  static final String RATES = "Shop_rates";
  static final String STOCK = "Shop_stock";
  static final String ARCHIVE = "Shop_archive";
  static final String NEWSLETTER = "Shop_newsletter";
  static final String REPORT = "Report_weekly";

  private static final Logger LOG = LoggerFactory.getLogger(DemoSequences.class);
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final Duration DAYS = Duration.ofDays(14);
  private static final Duration HOURS = Duration.ofHours(36);
  private static final OperatorAction ACTION = OperatorAction.by("demo", "a past for the calendar");

  private final SequenceService sequenceService;
  private final Instant now;

  DemoSequences(SequenceService sequenceService, Instant now) {
    this.sequenceService = sequenceService;
    this.now = now;
  }

  /**
   * Adds missing sequences, including those that users have removed; keeps what users have changed
   * or paused.
   */
  void open() {
    Schedule every6 = Schedule.cron("0 0 6 * * ? *").zone(BERLIN);
    if (add(
        TaskSequence.of(DAILY, OfficeTasks.TYPE, every6)
            .task(OfficeTasks.SALES)
            .task(OfficeTasks.BOOKS)
            .task(OfficeTasks.SUMMARY))) {
      sequenceService.backfill(DAILY, now.minus(DAYS), now, ACTION);
    }
    Schedule hourly = Schedule.every(Duration.ofHours(1), now.minus(HOURS));
    if (add(TaskSequence.of(RATES, OfficeTasks.TYPE, hourly).task(OfficeTasks.RATES))) {
      sequenceService.backfill(RATES, now.minus(HOURS), now, ACTION);
    }
    if (add(TaskSequence.of(STOCK, OfficeTasks.TYPE, workdays()).task(OfficeTasks.STOCK))) {
      sequenceService.backfill(STOCK, now.minus(DAYS), now, ACTION);
    }
    Schedule monthly = Schedule.cron("0 0 2 1 * ? *").zone(BERLIN);
    if (add(TaskSequence.of(ARCHIVE, OfficeTasks.TYPE, monthly).task(OfficeTasks.ARCHIVE))) {
      sequenceService.run(ARCHIVE, Map.of(), ACTION);
    }
    Schedule weekly = Schedule.of(Frequency.WEEKLY).zone(BERLIN);
    if (add(TaskSequence.of(NEWSLETTER, OfficeTasks.TYPE, weekly).task(OfficeTasks.NEWSLETTER))) {
      sequenceService.pause(NEWSLETTER, OperatorAction.by("carla", "the pictures are not ready"));
    }
  }

  /** Returns a schedule for working days without public holidays and the company outing. */
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

  /** Returns the day itself, or the following Monday if it is on a weekend. */
  static LocalDate workday(LocalDate day) {
    return switch (day.getDayOfWeek()) {
      case SATURDAY -> day.plusDays(2);
      case SUNDAY -> day.plusDays(1);
      default -> day;
    };
  }

  /**
   * Schedules the report on a git repository: weekly, and once now unless it is paused or inactive.
   */
  void report() {
    Schedule weekly =
        Schedule.of(Frequency.WEEKLY).weekStart(now.atZone(ZoneOffset.UTC).getDayOfWeek());
    add(
        TaskSequence.of(REPORT, ReportService.TYPE, weekly)
            .task(ReportComponent.KPI)
            .task(ReportComponent.PDF)
            .parameter(ReportComponent.REPORT, "weekly-report"));
    Flags flags = sequenceService.get(REPORT).flags();
    if (!flags.active() || flags.pausedBy() != null) {
      LOG.info("There is no report of this start: {} is paused or not active", REPORT);
      return;
    }
    try {
      sequenceService.run(REPORT, Map.of(), OperatorAction.by("demo", "the report of the start"));
    } catch (MillraceException e) {
      LOG.info("There is no report of this start: {}", e.getMessage());
    }
  }

  private boolean add(TaskSequence sequence) {
    if (sequenceService.find(sequence.sequenceId()).isPresent()) {
      return false;
    }
    sequenceService.add(sequence);
    return true;
  }
}
