package io.millrace.report.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.report.Patience;
import io.millrace.report.ReportTestDatabase;
import io.millrace.schedule.DataWindow;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class JdbcSourceTest {

  private static final DataWindow WEEK =
      new DataWindow(Instant.parse("2026-11-16T00:00:00Z"), Instant.parse("2026-11-23T00:00:00Z"));

  private final JdbcDataSource database = new JdbcDataSource();
  private final JdbcSource source = new JdbcSource("builds", database);

  @BeforeEach
  void fill() throws SQLException {
    database.setURL("jdbc:h2:mem:jdbc-source-" + System.nanoTime() + ";DB_CLOSE_DELAY=-1");
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          create table build (name varchar(20), ended timestamp with time zone, seconds bigint,
            cost decimal(10, 2), ok boolean)
          """);
      statement.execute(
          """
          insert into build values
            ('before', timestamp with time zone '2026-11-15 23:59:59+00:00', 1, 1.00, true),
            ('first', timestamp with time zone '2026-11-16 00:00:00+00:00', 1794787200, 2.50, true),
            ('last', timestamp with time zone '2026-11-22 23:59:59+00:00', 1795391999, 3.00, false),
            ('after', timestamp with time zone '2026-11-23 00:00:00+00:00', 1795392000, 4.00, null)
          """);
    }
  }

  private ResultTable read(String sql) {
    return source.read(SourceQuery.of(sql, WEEK));
  }

  @Test
  void thePlaceholdersAreTheWindow() {
    ResultTable resultTable =
        read(
            """
            select name, cost, ok from build
            where ended >= {startTime} and ended < {endTime} order by ended
            """);
    assertThat(resultTable.columns()).containsExactly("NAME", "COST", "OK");
    assertThat(resultTable.rows())
        .containsExactly(
            List.of("first", new BigDecimal("2.50"), true), List.of("last", 3L, false));
  }

  @Test
  void theyMayBeSecondsMillisOrText() {
    assertThat(
            read("select count(*) as n from build where seconds between {startTime:seconds} and"
                    + " {endTime:seconds}")
                .number(0, 0))
        .isEqualTo(3);
    assertThat(read("select {endTime:millis} - {startTime:millis} as n").number(0, 0))
        .isEqualTo((double) Duration.ofDays(7).toMillis());
    assertThat(read("select {startTime:iso} as n").text(0, 0)).isEqualTo("2026-11-16T00:00:00Z");
  }

  @Test
  void whatIsInQuotesOrCommentsStaysAsItIs() {
    assertThat(read("select 'it''s {x}' as \"n\" /* {startTime} */ -- {endTime}").text(0, 0))
        .isEqualTo("it's {x}");
    assertThatThrownBy(() -> read("select * from build where ended > '{startTime}'"))
        .isInstanceOf(SourceException.class)
        .hasMessageContaining("leave the quotes out");
    assertThatThrownBy(() -> read("select {startTime:days}"))
        .hasMessageContaining(":days")
        .hasMessageContaining(":millis");
  }

  @Test
  void aFaultNamesTheDatabaseAndTheQuery() {
    assertThatThrownBy(() -> read("select nothing from build"))
        .isInstanceOf(SourceException.class)
        .hasMessageContaining("'builds'")
        .hasMessageContaining("select nothing from build");
    assertThatThrownBy(() -> read("delete from build")).isInstanceOf(SourceException.class);
    assertThat(read("select count(*) from build").number(0, 0)).isEqualTo(4);
  }

  @Tag("races")
  @Test
  void aQueryThatTakesTooLongSaysSoAndNotThatTheUserWantedIt() {
    try (ReportTestDatabase postgres =
        ReportTestDatabase.open(ReportTestDatabase.Kind.POSTGRESQL)) {
      SourceQuery slow = new SourceQuery("select pg_sleep(30)", WEEK, Duration.ofSeconds(1), 3);
      assertThatThrownBy(() -> new JdbcSource("p", postgres.source()).read(slow))
          .hasMessageContaining("'p' did not answer a query within 1 s")
          .hasMessageNotContaining("user request");
    }
  }

  @Test
  void aRefusedConnectionIsNoRefusedQuery() {
    DriverDataSource nobody =
        new DriverDataSource("jdbc:postgresql://127.0.0.1:1/none", "ada", "secret");
    assertThatThrownBy(() -> new JdbcSource("p", nobody).read(SourceQuery.of("select 1", WEEK)))
        .hasMessageContaining("no connection to the database 'p'")
        .hasMessageNotContaining("refused a query");
  }

  @Test
  void tooManyRowsAreAnErrorInsteadOfAWrongFigure() {
    SourceQuery three =
        new SourceQuery("select x from system_range(1, 4)", WEEK, Patience.LIMIT, 3);
    assertThatThrownBy(() -> source.read(three)).hasMessageContaining("more than 3 rows");
    SourceQuery four = new SourceQuery("select x from system_range(1, 4)", WEEK, Patience.LIMIT, 4);
    assertThat(source.read(four).rows()).hasSize(4);
  }
}
