package io.millrace.server.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.MillraceException;
import io.millrace.report.store.ReportSchema;
import io.millrace.server.config.ConfigSources;
import io.millrace.server.plugin.JarCompiler;
import io.millrace.server.security.TestAccounts;
import io.millrace.store.sql.SqlDoctor.Check;
import io.millrace.store.sql.SqlDoctor.Level;
import io.millrace.store.sql.SqlStore;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorTest {

  @TempDir private Path folder;

  /**
   * An open connection; without it, H2 would open and close the files for each connection of a
   * test.
   */
  private Connection held;

  @BeforeEach
  void hold() throws SQLException {
    held = dataSource().getConnection();
  }

  @AfterEach
  void release() throws SQLException {
    held.close();
  }

  private Doctor.Connections h2() {
    return (databaseConfig, use) -> use.accept(dataSource());
  }

  private JdbcDataSource dataSource() {
    JdbcDataSource source = new JdbcDataSource();
    source.setURL("jdbc:h2:file:" + folder.resolve("data"));
    source.setUser("millrace");
    return source;
  }

  private static Doctor.Connections failing(MillraceException failure) {
    return (databaseConfig, use) -> {
      throw failure;
    };
  }

  private DoctorReport examine(Doctor.Connections connections, String... keysAndValues) {
    Map<String, String> properties = new TreeMap<>();
    properties.put("millrace.workflows.folder", folder.toString());
    for (int i = 0; i < keysAndValues.length; i += 2) {
      properties.put("millrace." + keysAndValues[i], keysAndValues[i + 1]);
    }
    return Doctor.examine(
        new ConfigSources(properties, Map.of(), null), connections, InstantSource.system());
  }

  private static List<Check> named(DoctorReport doctorReport, String name) {
    return doctorReport.checks().stream().filter(check -> check.name().equals(name)).toList();
  }

  @Test
  void aGoodPlaceIsOkAndTablesThatAreMissingAreOnlyAWarning() {
    DoctorReport before = examine(h2());
    assertThat(before.ok()).isTrue();
    assertThat(named(before, "schema")).extracting(Check::level).containsExactly(Level.WARN);

    SqlStore.open(dataSource(), SqlStore.Options.DEFAULT).close();
    DoctorReport after = examine(h2());
    assertThat(after.checks()).extracting(Check::level).containsOnly(Level.OK);
    assertThat(after.checks())
        .extracting(Check::name)
        .containsExactly(
            "java",
            "configuration",
            "network",
            "database",
            "schema",
            "clock",
            "privileges",
            "nodes",
            "durability",
            "schedules",
            "loops",
            "workflows");
    assertThat(after.text()).endsWith("12 checks, 0 warnings, 0 failed" + System.lineSeparator());
  }

  @Test
  void aRedisThatIsAwayIsAWarningAndOneThatAnswersIsWell() {
    assertThat(named(examine(h2()), "redis")).as("none is configured").isEmpty();

    String[] nobody = {"redis.uri", "redis://:hidden@127.0.0.1:1", "redis.timeout", "50 ms"};
    Check away = named(examine(h2(), nobody), "redis").getFirst();
    assertThat(away.level()).isEqualTo(Level.WARN);
    assertThat(away.finding()).contains("127.0.0.1:1", "does not answer").doesNotContain("hidden");

    String uri = System.getenv("MILLRACE_TEST_REDIS_URI");
    assertThat(uri).as("script/test starts a Redis").isNotNull();
    Check well = named(examine(h2(), "redis.uri", uri), "redis").getFirst();
    assertThat(well.level()).isEqualTo(Level.OK);
    assertThat(well.finding()).contains("answers; it knows");
  }

  @Test
  void tablesThatAreMissingFailWhereNobodyMakesThem() {
    DoctorReport doctorReport = examine(h2(), "database.schema", "validate");
    assertThat(doctorReport.ok()).isFalse();
    assertThat(named(doctorReport, "schema").getFirst().finding())
        .contains("millrace schema print");
  }

  @Test
  void everyProblemOfTheConfigurationIsOneCheck() {
    DoctorReport doctorReport = examine(h2(), "http.prot", "1", "http.port", "x");
    assertThat(doctorReport.ok()).isFalse();
    assertThat(named(doctorReport, "configuration"))
        .hasSize(2)
        .allMatch(check -> check.level() == Level.FAIL);
    assertThat(doctorReport.text()).contains("FAIL  configuration  millrace.http.port = x");
    assertThat(named(doctorReport, "database")).isEmpty();
  }

  @Test
  void anOpenDoorIsReported() {
    assertThat(named(examine(h2(), "http.bind", "0.0.0.0"), "network"))
        .extracting(Check::level)
        .containsExactly(Level.FAIL);
    TestAccounts.createFirstAdmin(dataSource());
    assertThat(named(examine(h2(), "http.bind", "0.0.0.0", "http.tls.mode", "none"), "network"))
        .extracting(Check::level)
        .containsExactly(Level.WARN);
    assertThat(named(examine(h2(), "http.bind", "0.0.0.0", "http.tls.mode", "proxy"), "network"))
        .extracting(Check::level)
        .containsExactly(Level.OK);
    assertThat(named(examine(h2(), "security.enabled", "false"), "security"))
        .extracting(Check::level)
        .containsExactly(Level.WARN);
  }

  @Test
  void aServerThatWouldNotStartBecauseNobodyCanLogInIsReported() {
    String[] open = {"http.bind", "0.0.0.0", "http.tls.mode", "proxy"};
    DoctorReport nobody = examine(h2(), open);
    assertThat(nobody.ok()).isFalse();
    assertThat(named(nobody, "network").getLast().finding()).contains("security.admin.password");

    TestAccounts.createFirstAdmin(dataSource());
    assertThat(examine(h2(), open).ok()).isTrue();
  }

  @Test
  void keysWithoutAnOwnerAreReported() throws SQLException {
    TestAccounts.createFirstAdmin(dataSource());
    assertThat(named(examine(h2()), "keys")).isEmpty();
    try (Connection connection = dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "INSERT INTO millrace_api_key (name, role, prefix, hash, created_at)"
              + " VALUES ('ci', 'operator', 'mr_abc', 'hash', CURRENT_TIMESTAMP)");
    }
    assertThat(named(examine(h2()), "keys"))
        .singleElement()
        .satisfies(check -> {
          assertThat(check.level()).isEqualTo(Level.WARN);
          assertThat(check.finding()).contains("'ci' (mr_abc..., never expires)");
        });
  }

  @Test
  void tablesOfTheAccountsThatAreMissingFailWhereNobodyMakesThem() {
    SqlStore.open(dataSource(), SqlStore.Options.DEFAULT).close();
    DoctorReport doctorReport = examine(h2(), "database.schema", "validate");
    assertThat(doctorReport.ok()).isFalse();
    assertThat(named(doctorReport, "schema").getLast().finding()).contains("accounts");
  }

  @Test
  void tablesOfReportsThatAreMissingAreAWarningWhereNobodyMakesThem() {
    assertThat(named(examine(h2()), "reports")).isEmpty();
    assertThat(named(examine(h2(), "database.schema", "validate"), "reports"))
        .singleElement()
        .satisfies(check -> {
          assertThat(check.level()).isEqualTo(Level.WARN);
          assertThat(check.finding())
              .contains("The tables of reports are missing", "millrace schema print");
          assertThat(check.advice()).contains("no report can be made");
        });
    ReportSchema.create(dataSource());
    assertThat(named(examine(h2(), "database.schema", "validate"), "reports")).isEmpty();
  }

  @Test
  void aDatabaseThatCannotBeOpenedFailsAndOneInUseMayBeTheServer() {
    DoctorReport down = examine(failing(new MillraceException("It is down.")));
    assertThat(down.ok()).isFalse();
    assertThat(named(down, "database").getFirst().finding()).isEqualTo("It is down.");
    DoctorReport busy =
        examine(failing(new DatabaseInUseException("in use", new IllegalStateException())));
    assertThat(busy.ok()).isTrue();
    assertThat(named(busy, "database")).extracting(Check::level).containsExactly(Level.WARN);
  }

  @Test
  void aBadJarIsReported() throws IOException {
    JarCompiler.naming("Missing").write(folder.resolve("bad.jar"));
    DoctorReport doctorReport = examine(h2());
    assertThat(doctorReport.ok()).isTrue();
    assertThat(named(doctorReport, "workflows").getFirst().finding())
        .startsWith("'bad.jar' is left out: ");
  }

  @Test
  void aClockThatDiffersIsReported() {
    Instant past = InstantSource.system().instant().minusSeconds(100);
    DoctorReport doctorReport =
        Doctor.examine(new ConfigSources(Map.of(), Map.of(), null), h2(), () -> past);
    assertThat(named(doctorReport, "clock").getFirst().finding())
        .containsPattern("\\d{3,} s ahead of");
  }
}
