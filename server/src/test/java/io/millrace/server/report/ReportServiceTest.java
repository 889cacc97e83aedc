package io.millrace.server.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.server.config.ConfigSources;
import io.millrace.server.config.LoadedConfig;
import io.millrace.server.config.ServerConfig;
import io.millrace.store.sql.SchemaMode;
import io.millrace.testing.SettableClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests reports while something that they need is missing. */
class ReportServiceTest {

  private static final String GOOD = "{\"name\": \"own\", \"title\": \"Mine\", \"kpis\": []}";

  @TempDir private Path folder;
  private final JdbcDataSource pool = new JdbcDataSource();
  private final SettableClock clock = SettableClock.at(Instant.EPOCH);

  @BeforeEach
  void database() {
    pool.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
  }

  private ReportService open(SchemaMode mode) {
    ServerConfig config =
        LoadedConfig.read(
                new ConfigSources(
                    Map.of(
                        "millrace.report.folder",
                        folder.toString(),
                        "millrace.database.schema",
                        mode.name().toLowerCase(Locale.ROOT)),
                    Map.of(),
                    null))
            .config();
    return ReportService.open(config, pool, clock);
  }

  @Test
  void aFileThatCouldNotBeUsedIsReadAgainThoughItLooksTheSame() throws IOException {
    Path file = folder.resolve("own.json");
    Files.writeString(file, " ".repeat(GOOD.length()));
    FileTime time = Files.getLastModifiedTime(file);
    ReportService reportService = open(SchemaMode.CREATE);
    assertThat(reportService.problems()).singleElement().asString().contains("own.json");
    Files.writeString(file, GOOD);
    Files.setLastModifiedTime(file, time);
    clock.advance(Duration.ofSeconds(9));
    assertThat(reportService.problems()).hasSize(1);
    clock.advance(Duration.ofSeconds(1));
    assertThat(reportService.problems()).isEmpty();
    assertThat(reportService.titles()).containsEntry("own", "Mine");
  }

  @Test
  void oneUnusableFileIsAProblemAndTheOtherReportsGoOn() throws IOException {
    Files.writeString(folder.resolve("own.json"), GOOD);
    Files.writeString(folder.resolve("bad.json"), "{");
    ReportService reportService = open(SchemaMode.CREATE);
    assertThat(reportService.problems())
        .singleElement()
        .asString()
        .contains(folder.resolve("bad.json") + ": Invalid JSON")
        .contains("Only the reports that use it fail");
    assertThat(reportService.titles()).containsEntry("own", "Mine");
    Files.writeString(folder.resolve("bad.json"), "[]");
    assertThat(reportService.problems()).isEmpty();
  }

  @Test
  void missingTablesAreAProblemUntilTheyAreCreated() {
    ReportService reportService = open(SchemaMode.VALIDATE);
    assertThat(reportService.problems())
        .singleElement()
        .asString()
        .contains(
            "The tables of reports are missing",
            "millrace schema print",
            "database.schema = create");
    assertThat(reportService.newestOfEach()).isEmpty();
    assertThat(reportService.find(1, null)).isEmpty();
    open(SchemaMode.CREATE);
    assertThat(reportService.problems()).isEmpty();
  }
}
