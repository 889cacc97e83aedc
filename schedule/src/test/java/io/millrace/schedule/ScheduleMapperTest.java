package io.millrace.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class ScheduleMapperTest {

  private static final JsonMapper JSON = new JsonMapper();
  private static final Instant SOME_TIME = Instant.parse("2026-05-01T20:00:00Z");

  @SuppressWarnings("unchecked")
  private static Schedule read(String json) {
    return ScheduleMapper.read(JSON.readValue(json, Map.class));
  }

  private static String write(Schedule schedule) {
    return JSON.writeValueAsString(ScheduleMapper.write(schedule));
  }

  @Test
  void aSimpleScheduleIsASimpleText() {
    assertThat(write(Schedule.of(Frequency.DAILY))).isEqualTo("{\"frequency\":\"DAILY\"}");
    assertThat(write(Schedule.cron("0 0 8 ? * MON-FRI")))
        .isEqualTo("{\"cron\":\"0 0 8 ? * MON-FRI\"}");
    assertThat(write(Schedule.every(Duration.ofMinutes(15)))).isEqualTo("{\"every\":\"PT15M\"}");
    assertThat(read("{\"frequency\":\"daily\"}")).isEqualTo(Schedule.of(Frequency.DAILY));
    assertThat(read("{\"cron\":\"0 0 8 ? * mon-fri\"}"))
        .isEqualTo(Schedule.cron("0 0 8 ? * MON-FRI"));
    assertThat(read("{\"every\":\"PT15M\"}")).isEqualTo(Schedule.every(Duration.ofMinutes(15)));
  }

  @Test
  void everyKeyIsReadAndWritten() {
    Schedule schedule =
        Schedule.of(Frequency.TRI_WEEKLY_SPRINT, LocalDate.of(2026, 1, 5), LocalDate.of(2027, 1, 1))
            .once()
            .zone(ZoneId.of("Europe/Berlin"))
            .weekStart(DayOfWeek.MONDAY)
            .misfire(MisfirePolicy.ALL)
            .catchUpLimit(7)
            .overlap(OverlapPolicy.CANCEL)
            .until(SOME_TIME.plusSeconds(1_000_000))
            .excluding(
                new ExclusionCalendar(
                    "Germany",
                    List.of(
                        ExclusionCalendar.Holiday.yearly(LocalDate.of(2026, 12, 25), "Christmas"),
                        ExclusionCalendar.Holiday.on(LocalDate.of(2026, 4, 3), "Good Friday")),
                    List.of(
                        new ExclusionCalendar.Blackout(
                            "move", SOME_TIME, SOME_TIME.plusSeconds(60)))));
    String json = write(schedule);
    assertThat(read(json)).isEqualTo(schedule);
    assertThat(json)
        .contains("\"startDate\":\"2026-01-05\"", "\"endDate\":\"2027-01-01\"")
        .contains("\"recurs\":false", "\"zone\":\"Europe/Berlin\"", "\"weekStart\":\"MONDAY\"")
        .contains("\"misfire\":\"ALL\"", "\"catchUpLimit\":7", "\"overlap\":\"CANCEL\"")
        .contains("\"until\":\"2026-05-13T09:46:40Z\"", "\"yearly\":true", "\"name\":\"move\"");
    Schedule cron = Schedule.cron("0 0 8 ? * *", DstPolicy.BOTH);
    assertThat(read(write(cron))).isEqualTo(cron);
    Schedule anchored = Schedule.every(Duration.ofDays(3), SOME_TIME);
    assertThat(read(write(anchored))).isEqualTo(anchored);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          {}                                       | A schedule has []; expected exactly one of 'frequency', 'cron' and 'every'
          {"cron":"0 0 0 * * ?","every":"PT1S"}    | A schedule has [cron, every]; expected exactly one
          {"frequency":"HOURLY"}                   | Frequency 'HOURLY' is unknown; expected one of ONETIME, DAILY
          {"frequncy":"DAILY"}                     | A schedule has the key 'frequncy'; expected some of [anchor, calendars
          {"frequency":7}                          | 'frequency' is '7'; expected a text
          {"frequency":"ONETIME"}                  | ONETIME needs a start date
          {"frequency":"DAILY","startDate":"25.9."} | 'startDate' is '25.9.'; expected 2026-09-25
          {"frequency":"DAILY","zone":"Mars/Base"} | 'zone' is 'Mars/Base'; expected a time zone such as Europe/Berlin
          {"frequency":"DAILY","weekStart":"SUN"}  | Week start 'SUN' is unknown; expected one of MONDAY, TUESDAY
          {"frequency":"DAILY","misfire":"x"}      | Misfire policy 'x' is unknown
          {"frequency":"DAILY","overlap":"x"}      | Overlap policy 'x' is unknown
          {"frequency":"DAILY","catchUpLimit":"3"} | 'catchUpLimit' is '3'; expected a whole number
          {"frequency":"DAILY","catchUpLimit":0}   | catch-up limit is 0; expected 1 to 1000
          {"frequency":"DAILY","recurs":"yes"}     | 'recurs' is 'yes'; expected true or false
          {"frequency":"DAILY","until":"soon"}     | 'until' is 'soon'; expected 2027-01-01T00:00:00Z
          {"frequency":"DAILY","dst":"BOTH"}       | A schedule has 'dst', which goes with 'cron'
          {"cron":"0 0 0 * * ?","startDate":"x"}   | A schedule has 'startDate', which goes with 'frequency'
          {"cron":"0 0 0 * * ?","anchor":"x"}      | A schedule has 'anchor', which goes with 'every'
          {"cron":"0 0 0 * * ?","dst":"x"}         | DST policy 'x' is unknown
          {"cron":"0 0 0 * * *"}                   | Cron '0 0 0 * * *'
          {"every":"15 minutes"}                   | 'every' is '15 minutes'; expected a duration such as PT15M
          {"every":"PT1S","anchor":"noon"}         | 'anchor' is 'noon'
          {"every":"PT1S","calendars":{}}          | 'calendars' is '{}'; expected a list
          {"every":"PT1S","calendars":[1]}         | 'calendars' is '1'; expected a list of objects
          {"every":"PT1S","calendars":[{}]}        | A calendar has the name ''
          {"every":"PT1S","calendars":[{"name":"x","days":[]}]} | A calendar has the key 'days'
          {"every":"PT1S","calendars":[{"name":"x","holidays":[{"name":"y"}]}]} | A holiday: 'date' is ''
          {"every":"PT1S","calendars":[{"name":"x","blackouts":[{"name":"y"}]}]} | A blackout: 'from' is ''
          """)
  void anErrorNamesTheKey(String json, String message) {
    assertThatThrownBy(() -> read(json))
        .isExactlyInstanceOf(InvalidScheduleException.class)
        .hasMessageContaining(message);
  }

  @Test
  void tooManyCalendarsAreRefused() {
    String calendar = "{\"name\":\"x\"},";
    assertThatThrownBy(() ->
            read(
                "{\"every\":\"PT1S\",\"calendars\":["
                    + calendar.repeat(20)
                    + calendar.replace(",", "")
                    + "]}"))
        .isInstanceOf(InvalidScheduleException.class)
        .hasMessageContaining("expected at most 20");
  }
}
