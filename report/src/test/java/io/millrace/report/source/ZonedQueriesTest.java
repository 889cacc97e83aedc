package io.millrace.report.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.report.ReportTestDatabase;
import io.millrace.report.kpi.KpiDefinition;
import io.millrace.report.kpi.KpiEvaluator;
import io.millrace.report.kpi.SeriesPoint;
import io.millrace.schedule.DataWindow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that days, weeks and months of a report are those of its zone, whatever the zones of the
 * database and of Java are.
 */
class ZonedQueriesTest {

  private static final LocalDate MONDAY = LocalDate.of(2026, 11, 16);

  private final TimeZone before = TimeZone.getDefault();

  @AfterEach
  void restoreZone() {
    TimeZone.setDefault(before);
  }

  static Stream<Arguments> zones() {
    List<Arguments> all = new ArrayList<>();
    for (ReportTestDatabase.Kind kind : ReportTestDatabase.Kind.values()) {
      for (String zone :
          List.of(
              "America/Los_Angeles",
              "Europe/Berlin",
              "Asia/Kolkata",
              "Pacific/Kiritimati",
              "Z",
              "-03:30",
              "UTC+05:45")) {
        all.add(Arguments.of(kind, ZoneId.of(zone), "Pacific/Auckland"));
      }
      all.add(Arguments.of(kind, ZoneId.of("Asia/Tokyo"), "America/New_York"));
    }
    return all.stream();
  }

  /**
   * Inserts two events on each day of a week: just after the first midnight, and just before the
   * last.
   */
  private static void fill(ReportTestDatabase database, ZoneId zone) throws SQLException {
    database.execute("create table build (ended timestamp with time zone, local timestamp)");
    try (Connection connection = database.source().getConnection();
        PreparedStatement insert = connection.prepareStatement("insert into build values (?, ?)")) {
      for (LocalDate day : MONDAY.minusDays(1).datesUntil(MONDAY.plusDays(8)).toList()) {
        for (String time : List.of("00:00:05", "23:59:55")) {
          var local = day.atTime(java.time.LocalTime.parse(time));
          OffsetDateTime instant =
              local.atZone(zone).toOffsetDateTime().withOffsetSameInstant(ZoneOffset.UTC);
          insert.setObject(1, instant);
          insert.setObject(2, local);
          insert.executeUpdate();
        }
      }
    }
  }

  private static List<SeriesPoint> points(ReportTestDatabase database, ZoneId zone, String sql) {
    DataWindow week =
        new DataWindow(
            MONDAY.atStartOfDay(zone).toInstant(),
            MONDAY.plusDays(7).atStartOfDay(zone).toInstant());
    KpiEvaluator evaluator =
        new KpiEvaluator(Map.of("s", new JdbcSource("s", database.source())), zone);
    return evaluator.evaluate(KpiDefinition.of("k", "K", "s", sql, "n"), week).points();
  }

  private static List<SeriesPoint> eachDay() {
    return MONDAY
        .datesUntil(MONDAY.plusDays(7))
        .map(day -> new SeriesPoint(day.toString(), 2))
        .toList();
  }

  @ParameterizedTest(name = "{0} {1}, Java in {2}")
  @MethodSource("zones")
  void aWeekHasTheSevenDaysOfTheReportsZone(ReportTestDatabase.Kind kind, ZoneId zone, String java)
      throws SQLException {
    TimeZone.setDefault(TimeZone.getTimeZone(java));
    try (ReportTestDatabase database = ReportTestDatabase.open(kind)) {
      fill(database, zone);
      String within = " from build where ended >= {startTime} and ended < {endTime} ";
      assertThat(
              points(
                  database,
                  zone,
                  "select cast(ended as date) as d, count(*) as n"
                      + within
                      + "group by cast(ended as date) order by 1"))
          .isEqualTo(eachDay());
      assertThat(
              points(
                  database,
                  zone,
                  "select extract(day from cast(ended as timestamp)) as d, count(*) as n"
                      + within
                      + "group by extract(day from cast(ended as timestamp)) order by 1"))
          .hasSize(7);
      assertThat(
              points(
                  database,
                  zone,
                  "select cast(local as date) as d, count(*) as n from build"
                      + " where local >= {startTime} and local < {endTime}"
                      + " group by cast(local as date) order by 1"))
          .isEqualTo(eachDay());
      assertThat(
              points(
                  database,
                  zone,
                  "select min(ended) as since, 1 as n" + within + "group by local order by 1"))
          .startsWith(
              new SeriesPoint("2026-11-16 00:00:05", 1), new SeriesPoint("2026-11-16 23:59:55", 1));
    }
  }

  @ParameterizedTest(name = "{0} {1}, Java in {2}")
  @MethodSource("zones")
  void theStartsOfDaysWeeksAndMonthsAreLabeledWithTheirDates(
      ReportTestDatabase.Kind kind, ZoneId zone, String java) throws SQLException {
    TimeZone.setDefault(TimeZone.getTimeZone(java));
    try (ReportTestDatabase database = ReportTestDatabase.open(kind)) {
      fill(database, zone);
      // H2 truncates in the zone that is stored with the value; the session's zone needs a cast.
      String ended = kind == ReportTestDatabase.Kind.H2 ? "cast(ended as timestamp)" : "ended";
      String sql =
          "select date_trunc('%s', "
              + ended
              + ") as since, count(*) as n from build"
              + " where ended >= {startTime} and ended < {endTime}"
              + " group by date_trunc('%s', "
              + ended
              + ") order by 1";
      assertThat(points(database, zone, sql.formatted("day", "day"))).isEqualTo(eachDay());
      String week = kind == ReportTestDatabase.Kind.H2 ? "iso_week" : "week";
      assertThat(points(database, zone, sql.formatted(week, week)))
          .containsExactly(new SeriesPoint("2026-11-16", 14));
      assertThat(points(database, zone, sql.formatted("month", "month")))
          .containsExactly(new SeriesPoint("2026-11-01", 14));
    }
  }

  @ParameterizedTest(name = "{0} {1}, Java in {2}")
  @MethodSource("zones")
  void theZoneIsAPlaceholderAndTheSessionIsAsBefore(
      ReportTestDatabase.Kind kind, ZoneId zone, String java) throws SQLException {
    TimeZone.setDefault(TimeZone.getTimeZone(java));
    try (ReportTestDatabase database = ReportTestDatabase.open(kind);
        Connection kept = database.source().getConnection()) {
      OffsetDateTime probe = OffsetDateTime.parse("2026-11-16T12:00:00Z");
      String shown = shown(kept, probe);
      JdbcSource source = new JdbcSource("s", SingleConnection.of(kept));
      DataWindow day = new DataWindow(probe.toInstant(), probe.plusDays(1).toInstant());
      ResultTable resultTable = source.read(SourceQuery.of("select {zone} as z", day, zone));
      assertThat(ZoneId.of(resultTable.text(0, 0)).getRules().getOffset(probe.toInstant()))
          .isEqualTo(zone.getRules().getOffset(probe.toInstant()));
      assertThat(shown(kept, probe)).isEqualTo(shown);
    }
  }

  private static String shown(Connection kept, OffsetDateTime probe) throws SQLException {
    try (PreparedStatement query =
        kept.prepareStatement(
            "select cast(cast(? as timestamp with time zone) as varchar)"
                + " || cast(cast(? as timestamp with time zone) as timestamp)")) {
      query.setObject(1, probe);
      query.setObject(2, probe);
      try (var row = query.executeQuery()) {
        row.next();
        return row.getString(1);
      }
    }
  }
}
