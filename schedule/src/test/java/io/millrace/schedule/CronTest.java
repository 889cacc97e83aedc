package io.millrace.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The local times of crons, and rejected crons. */
class CronTest {

  private static final LocalDateTime NEW_YEAR = LocalDateTime.parse("2026-01-01T00:00:00");

  private static List<String> next(String cron, int count) {
    CronExpression expression = CronExpression.parse(cron);
    List<String> times = new ArrayList<>();
    LocalDateTime at = expression.nextOrSame(NEW_YEAR);
    while (at != null && times.size() < count) {
      times.add(at.toString());
      at = expression.nextOrSame(at.plusSeconds(1));
    }
    return times;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0/30 0 0 ? * * *      | 2026-01-01T00:00 2026-01-01T00:00:30 2026-01-02T00:00
          0 */1 * ? * *         | 2026-01-01T00:00 2026-01-01T00:01 2026-01-01T00:02
          0 0 8 ? * MON-FRI     | 2026-01-01T08:00 2026-01-02T08:00 2026-01-05T08:00
          0 0 8 ? * 2-6         | 2026-01-01T08:00 2026-01-02T08:00 2026-01-05T08:00
          0 0 0 ? * FRI-MON     | 2026-01-02T00:00 2026-01-03T00:00 2026-01-04T00:00
          0 0 22-1 * * ?        | 2026-01-01T00:00 2026-01-01T01:00 2026-01-01T22:00
          0 0 0 L * ?           | 2026-01-31T00:00 2026-02-28T00:00 2026-03-31T00:00
          0 0 0 L-3 * ?         | 2026-01-28T00:00 2026-02-25T00:00 2026-03-28T00:00
          0 0 0 L-30 * ?        | 2026-01-01T00:00 2026-03-01T00:00 2026-05-01T00:00
          0 0 0 L-0 * ?         | 2026-01-31T00:00 2026-02-28T00:00 2026-03-31T00:00
          0 0 0 LW * ?          | 2026-01-30T00:00 2026-02-27T00:00 2026-03-31T00:00
          0 0 0 15W * ?         | 2026-01-15T00:00 2026-02-16T00:00 2026-03-16T00:00
          0 0 0 1W * ?          | 2026-01-01T00:00 2026-02-02T00:00 2026-03-02T00:00
          0 0 0 31W * ?         | 2026-01-30T00:00 2026-03-31T00:00 2026-05-29T00:00
          0 0 0 ? * 6#3         | 2026-01-16T00:00 2026-02-20T00:00 2026-03-20T00:00
          0 0 0 ? * FRI#5       | 2026-01-30T00:00 2026-05-29T00:00 2026-07-31T00:00
          0 0 0 ? * 6L          | 2026-01-30T00:00 2026-02-27T00:00 2026-03-27T00:00
          0 0 0 ? * L           | 2026-01-03T00:00 2026-01-10T00:00 2026-01-17T00:00
          0 0 0 ? * MON#1,FRI#3 | 2026-01-05T00:00 2026-01-16T00:00 2026-02-02T00:00
          0 0 0 ? * FRIL,WED#1  | 2026-01-07T00:00 2026-01-30T00:00 2026-02-04T00:00
          0 0 0 ? FEB-1/11 5    | 2026-01-01T00:00 2026-01-08T00:00 2026-01-15T00:00
          0 0 0 29 2 ?          | 2028-02-29T00:00 2032-02-29T00:00 2036-02-29T00:00
          0 0 0 ? 2 MON#5       | 2044-02-29T00:00 2072-02-29T00:00 2112-02-29T00:00
          0 0 0 31 * ?          | 2026-01-31T00:00 2026-03-31T00:00 2026-05-31T00:00
          0 0 0 1 1/4 ?         | 2026-01-01T00:00 2026-05-01T00:00 2026-09-01T00:00
          0 0 0 1 1 ? 2027/2    | 2027-01-01T00:00 2029-01-01T00:00 2031-01-01T00:00
          0 0 0 1 1 ? /4        | 2026-01-01T00:00 2030-01-01T00:00 2034-01-01T00:00
          5-45/20 59 23 31 12 ? | 2026-12-31T23:59:05 2026-12-31T23:59:25 2026-12-31T23:59:45
          0 5/20 0 1,2 * ?      | 2026-01-01T00:05 2026-01-01T00:25 2026-01-01T00:45
          50/20 0 0 * * ?       | 2026-01-01T00:00:50 2026-01-02T00:00:50 2026-01-03T00:00:50
          """)
  void localTimes(String cron, String expected) {
    assertThat(next(cron, 3)).containsExactly(expected.split(" "));
  }

  @Test
  void backwardsIsTheSameTheOtherWay() {
    for (String text :
        List.of("0/7 3-9/2 */5 ? * MON,6#2", "30 0 12 L-2,15W * ?", "0 0 0 29 2 ?")) {
      CronExpression cron = CronExpression.parse(text);
      LocalDateTime at = cron.nextOrSame(NEW_YEAR);
      for (int i = 0; i < 300; i++) {
        LocalDateTime next = cron.nextOrSame(at.plusNanos(1));
        assertThat(cron.previousOrSame(next.minusNanos(1))).as(text).isEqualTo(at);
        at = next;
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"0 0 0 30 2 ?", "0 0 0 31 4,6,9,11 ?", "0 0 0 L-30 2 ?", "0 0 0 1 1 ? 2020"})
  void someNeverFire(String cron) {
    CronExpression expression = CronExpression.parse(cron);
    assertThat(expression.nextOrSame(NEW_YEAR)).isNull();
  }

  @Test
  void workingDaysBeforeTheLastAndYearsAfter2099AreAsInQuartz() {
    CronExpression near = CronExpression.parse("0 0 0 L-3W * ?");
    // 28 January 2026 is a Wednesday, 28 March a Saturday, 25 July 2027 a Sunday.
    assertThat(near.nextOrSame(LocalDateTime.parse("2026-01-01T00:00")))
        .isEqualTo("2026-01-28T00:00");
    assertThat(near.nextOrSame(LocalDateTime.parse("2026-03-01T00:00")))
        .isEqualTo("2026-03-27T00:00");
    assertThat(
            CronExpression.parse("0 0 0 1,L-30W * ?")
                .nextOrSame(LocalDateTime.parse("2026-02-02T00:00")))
        .isEqualTo("2026-03-01T00:00");
    assertThat(CronExpression.parse("0 0 0 1 1 ? 2100").nextOrSame(NEW_YEAR))
        .isEqualTo("2100-01-01T00:00");
    assertThat(
            CronExpression.parse("0 0 0 1 1 ? 2098/4,2120-2121")
                .nextOrSame(LocalDateTime.parse("2099-01-01T00:00")))
        .isEqualTo("2102-01-01T00:00");
    assertThatThrownBy(() -> CronExpression.parse("0 0 0 1 1 ? 2200"))
        .hasMessageContaining("1970-2199");
  }

  @Test
  void aStepThatTheFieldDoesNotHavePointsToIntervals() {
    assertThatThrownBy(() -> CronExpression.parse("0 0/90 * * * ?"))
        .hasMessageContaining("minutes is '0/90': the step 90 exceeds the range 0-59")
        .hasMessageContaining("interval of 90 minutes")
        .hasMessageContaining("PT90M");
    assertThatThrownBy(() -> CronExpression.parse("0 */0 * * * ?"))
        .hasMessageContaining(
            "minutes is '*/0': the step 0 is not positive; expected a step of 1 or more");
  }

  @Test
  void spacesAndCaseDoNotCount() {
    CronExpression cron = CronExpression.parse("  0  0 8\t? * mon-fri ");
    assertThat(cron.text()).isEqualTo("0 0 8 ? * MON-FRI");
    assertThat(cron).isEqualTo(CronExpression.parse("0 0 8 ? * MON-FRI"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          61 0 0 * * ?          | seconds is '61'
          0 60/5 * * * ?        | minutes is '60/5'
          0 0 24 * * ?          | hours is '24'
          0 0 0 32 * ?          | day of month is '32'
          0 0 0 0 * ?           | day of month is '0'
          0 0 0 ? 13 *          | month is '13'
          0 0 0 ? FOO *         | month is 'FOO'
          0 0 0 ? * 0           | day of week is '0'
          0 0 0 ? * 8           | day of week is '8'
          0 0 0 ? * TOMORROW    | day of week is 'TOMORROW'
          0 0 0 ? * 2#6         | day of week is '2#6'
          0 0 0 * * ? 1969      | year is '1969'
          0 0 0 * * ? 2200      | year is '2200'
          0 0 0/0 * * ?         | hours is '0/0'
          0 0 */ * * ?          | hours is '*/'
          0 0 1-5/2/3 * * ?     | hours is '1-5/2/3'
          0 0 1-2-3 * * ?       | hours is '1-2-3'
          0 0 -1 * * ?          | hours is '-1'
          0 0 1, * * ?          | hours is '1,'
          0 0 L * * ?           | hours is 'L'
          0 0 ? * * ?           | hours is '?'
          0 0 0 5-L * ?         | day of month is '5-L'
          0 0 0 L-31 * ?        | day of month is 'L-31'
          0 0 0 LWLW * ?        | day of month is 'LWLW'
          0 0 0 5L * ?          | day of month is '5L'
          0 0 0 0W * ?          | day of month is '0W'
          0 0 0 99W * ?         | day of month is '99W'
          0 0 0 ? * 3W          | day of week is '3W'
          0 0 0 ? * L-3         | day of week is 'L-3'
          0 0 0 ? * LW          | day of week is 'LW'
          99999999999 * * * * ? | seconds is '99999999999'
          0 0 0 * * *           | exactly one of them to be '?'
          0 0 0 ? * ?           | exactly one of them to be '?'
          @daily                | has 1 fields; expected 6 or 7
          0 0 * * *             | has 5 fields
          0 0 0 1 1 ? 2026 0    | has 8 fields
          """)
  void anErrorNamesTheFieldAndWhatIsExpected(String cron, String message) {
    assertThatThrownBy(() -> CronExpression.parse(cron))
        .isExactlyInstanceOf(InvalidScheduleException.class)
        .hasNoCause()
        .hasMessageStartingWith("Cron '" + cron.replaceFirst("@daily", "@DAILY") + "'")
        .hasMessageContaining(message)
        .hasMessageContaining("expected");
  }

  @Test
  void aTextOfAnyLengthIsRefusedShortly() {
    assertThatThrownBy(() -> CronExpression.parse("1,".repeat(1_000_000) + "1 0 0 * * ?"))
        .isInstanceOf(InvalidScheduleException.class)
        .hasMessageContaining("expected at most 500")
        .message()
        .hasSizeLessThan(300);
    assertThatThrownBy(() -> CronExpression.parse("0|1 0 0 * * ?"))
        .isInstanceOf(InvalidScheduleException.class)
        .hasMessageContaining("seconds is '0|1'");
    assertThatThrownBy(() -> CronExpression.parse(""))
        .isInstanceOf(InvalidScheduleException.class)
        .hasMessageContaining("has 0 fields");
  }
}
