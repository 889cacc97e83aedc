package io.millrace.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Worked tables of the first two slots, for a schedule created at 10:15:00 UTC of a day, from which
 * sprints count. All slots are at 00:00:01 UTC.
 */
class NextRunTablesTest {

  private static final List<Frequency> COLUMNS =
      List.of(
          Frequency.DAILY,
          Frequency.WEEKLY,
          Frequency.BI_WEEKLY_SPRINT,
          Frequency.TRI_WEEKLY_SPRINT,
          Frequency.MONTHLY,
          Frequency.QUARTERLY,
          Frequency.YEARLY);

  private static Instant due(String day) {
    return LocalDate.parse(day).atTime(0, 0, 1).toInstant(ZoneOffset.UTC);
  }

  private static Instant created(String day) {
    return LocalDate.parse(day).atTime(10, 15).toInstant(ZoneOffset.UTC);
  }

  private static Schedule schedule(Frequency frequency, String created) {
    return Schedule.of(frequency, frequency.isSprint() ? LocalDate.parse(created) : null, null);
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          # created, DAILY, WEEKLY, BI_WEEKLY, TRI_WEEKLY, MONTHLY, QUARTERLY, YEARLY
          2020-09-25, 2020-09-26, 2020-09-27, 2020-10-09, 2020-10-16, 2020-09-01, 2020-07-01, 2020-01-01
          2020-09-20, 2020-09-21, 2020-09-27, 2020-10-04, 2020-10-11, 2020-09-01, 2020-07-01, 2020-01-01
          2020-09-26, 2020-09-27, 2020-09-27, 2020-10-10, 2020-10-17, 2020-09-01, 2020-07-01, 2020-01-01
          2020-09-27, 2020-09-28, 2020-10-04, 2020-10-11, 2020-10-18, 2020-09-01, 2020-07-01, 2020-01-01
          2020-01-01, 2020-01-02, 2020-01-05, 2020-01-15, 2020-01-22, 2020-01-01, 2020-01-01, 2020-01-01
          2020-01-31, 2020-02-01, 2020-02-02, 2020-02-14, 2020-02-21, 2020-01-01, 2020-01-01, 2020-01-01
          2020-02-28, 2020-02-29, 2020-03-01, 2020-03-13, 2020-03-20, 2020-02-01, 2020-01-01, 2020-01-01
          2020-02-29, 2020-03-01, 2020-03-01, 2020-03-14, 2020-03-21, 2020-02-01, 2020-01-01, 2020-01-01
          2020-03-01, 2020-03-02, 2020-03-08, 2020-03-15, 2020-03-22, 2020-03-01, 2020-01-01, 2020-01-01
          2020-03-31, 2020-04-01, 2020-04-05, 2020-04-14, 2020-04-21, 2020-03-01, 2020-01-01, 2020-01-01
          2020-04-01, 2020-04-02, 2020-04-05, 2020-04-15, 2020-04-22, 2020-04-01, 2020-04-01, 2020-01-01
          2020-05-31, 2020-06-01, 2020-06-07, 2020-06-14, 2020-06-21, 2020-05-01, 2020-04-01, 2020-01-01
          2020-08-31, 2020-09-01, 2020-09-06, 2020-09-14, 2020-09-21, 2020-08-01, 2020-07-01, 2020-01-01
          2020-11-30, 2020-12-01, 2020-12-06, 2020-12-14, 2020-12-21, 2020-11-01, 2020-10-01, 2020-01-01
          2020-12-31, 2021-01-01, 2021-01-03, 2021-01-14, 2021-01-21, 2020-12-01, 2020-10-01, 2020-01-01
          2021-01-01, 2021-01-02, 2021-01-03, 2021-01-15, 2021-01-22, 2021-01-01, 2021-01-01, 2021-01-01
          2021-02-28, 2021-03-01, 2021-03-07, 2021-03-14, 2021-03-21, 2021-02-01, 2021-01-01, 2021-01-01
          2021-07-04, 2021-07-05, 2021-07-11, 2021-07-18, 2021-07-25, 2021-07-01, 2021-07-01, 2021-01-01
          2023-12-31, 2024-01-01, 2024-01-07, 2024-01-14, 2024-01-21, 2023-12-01, 2023-10-01, 2023-01-01
          2024-02-29, 2024-03-01, 2024-03-03, 2024-03-14, 2024-03-21, 2024-02-01, 2024-01-01, 2024-01-01
          """)
  void theFirstRun(
      String created,
      String daily,
      String weekly,
      String twoWeeks,
      String threeWeeks,
      String monthly,
      String quarterly,
      String yearly) {
    List<String> expected =
        List.of(daily, weekly, twoWeeks, threeWeeks, monthly, quarterly, yearly);
    for (int i = 0; i < COLUMNS.size(); i++) {
      Frequency frequency = COLUMNS.get(i);
      assertThat(schedule(frequency, created).first(created(created)))
          .as("%s created on %s", frequency, created)
          .isEqualTo(due(expected.get(i)));
    }
  }

  /**
   * The slot one period after the first, whenever that was run: no slot comes twice, none is left
   * out.
   */
  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          # created, DAILY, WEEKLY, BI_WEEKLY, TRI_WEEKLY, MONTHLY, QUARTERLY, YEARLY
          2020-09-25, 2020-09-27, 2020-10-04, 2020-10-23, 2020-11-06, 2020-10-01, 2020-10-01, 2021-01-01
          2020-09-20, 2020-09-22, 2020-10-04, 2020-10-18, 2020-11-01, 2020-10-01, 2020-10-01, 2021-01-01
          2020-09-26, 2020-09-28, 2020-10-04, 2020-10-24, 2020-11-07, 2020-10-01, 2020-10-01, 2021-01-01
          2020-09-27, 2020-09-29, 2020-10-11, 2020-10-25, 2020-11-08, 2020-10-01, 2020-10-01, 2021-01-01
          2020-01-01, 2020-01-03, 2020-01-12, 2020-01-29, 2020-02-12, 2020-02-01, 2020-04-01, 2021-01-01
          2020-01-31, 2020-02-02, 2020-02-09, 2020-02-28, 2020-03-13, 2020-02-01, 2020-04-01, 2021-01-01
          2020-02-28, 2020-03-01, 2020-03-08, 2020-03-27, 2020-04-10, 2020-03-01, 2020-04-01, 2021-01-01
          2020-02-29, 2020-03-02, 2020-03-08, 2020-03-28, 2020-04-11, 2020-03-01, 2020-04-01, 2021-01-01
          2020-03-01, 2020-03-03, 2020-03-15, 2020-03-29, 2020-04-12, 2020-04-01, 2020-04-01, 2021-01-01
          2020-03-31, 2020-04-02, 2020-04-12, 2020-04-28, 2020-05-12, 2020-04-01, 2020-04-01, 2021-01-01
          2020-04-01, 2020-04-03, 2020-04-12, 2020-04-29, 2020-05-13, 2020-05-01, 2020-07-01, 2021-01-01
          2020-05-31, 2020-06-02, 2020-06-14, 2020-06-28, 2020-07-12, 2020-06-01, 2020-07-01, 2021-01-01
          2020-08-31, 2020-09-02, 2020-09-13, 2020-09-28, 2020-10-12, 2020-09-01, 2020-10-01, 2021-01-01
          2020-11-30, 2020-12-02, 2020-12-13, 2020-12-28, 2021-01-11, 2020-12-01, 2021-01-01, 2021-01-01
          2020-12-31, 2021-01-02, 2021-01-10, 2021-01-28, 2021-02-11, 2021-01-01, 2021-01-01, 2021-01-01
          2021-01-01, 2021-01-03, 2021-01-10, 2021-01-29, 2021-02-12, 2021-02-01, 2021-04-01, 2022-01-01
          2021-02-28, 2021-03-02, 2021-03-14, 2021-03-28, 2021-04-11, 2021-03-01, 2021-04-01, 2022-01-01
          2021-07-04, 2021-07-06, 2021-07-18, 2021-08-01, 2021-08-15, 2021-08-01, 2021-10-01, 2022-01-01
          2023-12-31, 2024-01-02, 2024-01-14, 2024-01-28, 2024-02-11, 2024-01-01, 2024-01-01, 2024-01-01
          2024-02-29, 2024-03-02, 2024-03-10, 2024-03-28, 2024-04-11, 2024-03-01, 2024-04-01, 2025-01-01
          """)
  void theSecondRun(
      String created,
      String daily,
      String weekly,
      String twoWeeks,
      String threeWeeks,
      String monthly,
      String quarterly,
      String yearly) {
    List<String> expected =
        List.of(daily, weekly, twoWeeks, threeWeeks, monthly, quarterly, yearly);
    for (int i = 0; i < COLUMNS.size(); i++) {
      Frequency frequency = COLUMNS.get(i);
      Schedule schedule = schedule(frequency, created);
      Instant first = schedule.first(created(created));
      assertThat(schedule.next(first))
          .as("%s created on %s", frequency, created)
          .isEqualTo(due(expected.get(i)));
    }
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          DAILY,             2020-09-25, 2020-09-26
          WEEKLY,            2020-09-20, 2020-09-27
          BI_WEEKLY_SPRINT,  2020-09-25, 2020-10-09
          TRI_WEEKLY_SPRINT, 2020-09-25, 2020-10-16
          MONTHLY,           2020-08-01, 2020-09-01
          QUARTERLY,         2020-04-01, 2020-07-01
          YEARLY,            2019-01-01, 2020-01-01
          """)
  void theFirstWindowOfASchedule(Frequency frequency, String from, String to) {
    Schedule schedule = schedule(frequency, "2020-09-25");
    Instant first = schedule.first(created("2020-09-25"));
    assertThat(schedule.slot(first).window())
        .isEqualTo(new DataWindow(midnight(from), midnight(to)));
  }

  private static Instant midnight(String day) {
    return LocalDate.parse(day).atStartOfDay(ZoneOffset.UTC).toInstant();
  }
}
