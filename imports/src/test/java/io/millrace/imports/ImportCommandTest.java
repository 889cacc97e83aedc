package io.millrace.imports;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.server.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ImportCommandTest {

  @TempDir private Path folder;

  private final String database = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
  private SourceFixture source;
  private Path config;

  private record Run(int code, String out, String err) {}

  @BeforeEach
  void open() throws IOException, SQLException {
    source = SourceFixture.create(false);
    source.reportTasks("com.example.Missing");
    source.workflow("Report_1", "WEEKLY", "COMPLETED", "2126-01-06T00:00:01Z", 1, 2, 3);
    config =
        Files.writeString(
            folder.resolve("server-config.json"),
            "database.url = \"" + database + "\"\ndatabase.user = millrace");
  }

  @AfterEach
  void close() throws SQLException {
    source.close();
  }

  private Run run(String... more) {
    List<String> arguments = new ArrayList<>(List.of("import", "insights"));
    arguments.addAll(List.of("--config", config.toString(), "--url", source.url()));
    arguments.addAll(List.of(more));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Main.run(new PrintWriter(out), new PrintWriter(err), arguments.toArray(String[]::new));
    return new Run(code, out.toString(), err.toString());
  }

  private List<String> tables() throws SQLException {
    List<String> names = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection(database, "millrace", "");
        ResultSet rows =
            connection.getMetaData().getTables(null, "PUBLIC", "%", new String[] {"BASE TABLE"})) {
      while (rows.next()) {
        names.add(rows.getString("TABLE_NAME"));
      }
    }
    return names;
  }

  @Test
  void aDryRunMakesNoTablesAndSaysTheSameAsTheRealOne() throws SQLException {
    Run dry = run("--dry-run");
    assertThat(dry.code()).as(dry.err()).isZero();
    assertThat(dry.out())
        .contains("Dry run: nothing was changed.", "workflow Report_1: {frequency=WEEKLY}")
        .contains("This server cannot run it yet.", "com.example.Missing");
    assertThat(dry.err()).contains("Into the database " + database);
    assertThat(tables()).isEmpty();

    Run real = run();
    assertThat(real.code()).as(real.err()).isZero();
    assertThat(real.out().lines().skip(1))
        .containsExactlyElementsOf(dry.out().lines().skip(1).toList());
    assertThat(tables()).isNotEmpty();
    assertThat(run("--dry-run").out()).contains("workflows  added 0  equal 1");
  }

  @Test
  void aDryRunMakesNoDatabaseFile() throws IOException {
    Path base = folder.resolve("data/millrace");
    Files.writeString(config, "database.url = \"jdbc:h2:file:" + base + "\"");

    Run dry = run("--dry-run");

    assertThat(dry.code()).as(dry.err()).isZero();
    assertThat(dry.out()).contains("Dry run: nothing was changed.");
    assertThat(base.getParent()).doesNotExist();
  }

  @Test
  void theReportIsWrittenAsTextAndAsJson() throws IOException, SQLException {
    source.workflow("bad id", "WEEKLY", "COMPLETED", null, 1);
    Path json = folder.resolve("report.json");
    Run run = run("--report", json.toString(), "--json");
    assertThat(run.code()).isEqualTo(1);
    JsonNode report = JsonMapper.shared().readTree(run.out());
    assertThat(JsonMapper.shared().readTree(Files.readString(json))).isEqualTo(report);
    assertThat(report.path("ok").asBoolean(true)).isFalse();
    assertThat(report.path("counts").path("workflow").path("added").asInt()).isEqualTo(1);
    JsonNode refused = report.path("entries").get(report.path("entries").size() - 1);
    assertThat(refused.path("id").asString()).isEqualTo("bad id");
    assertThat(refused.path("outcome").asString()).isEqualTo("refused");
    assertThat(refused.path("advice").asString()).contains("millrace sequences add");

    Path text = folder.resolve("report.txt");
    String out = run("--report", text.toString()).out();
    assertThat(Files.readString(text)).isEqualTo(out).contains("refused\n  workflow bad id: ");
    Run nowhere = run("--report", folder.resolve("none/report.txt").toString());
    assertThat(nowhere.code()).isEqualTo(1);
    assertThat(nowhere.err()).contains("its report cannot be written");
  }

  @Test
  void wrongUseAndAMissingSourceHaveTheirExitCodes() {
    assertThat(run("--password-from", "MILLRACE_NO_SUCH_VARIABLE").code()).isEqualTo(2);
    assertThat(run("--password-from", "MILLRACE_NO_SUCH_VARIABLE").err())
        .contains("MILLRACE_NO_SUCH_VARIABLE, which is not set");
    assertThat(run("--schema", "nowhere").code()).isEqualTo(1);
    assertThat(run("--schema", "nowhere").err())
        .contains("error: The source has no table INSIGHTS_WORKFLOW_TYPE");
  }
}
