package io.millrace.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.InvalidRequestException;
import io.millrace.report.kpi.ReportDefinitionException;
import io.millrace.report.source.ResultTable;
import io.millrace.schedule.DataWindow;
import io.millrace.sequence.ChunksFailedException;
import io.millrace.sequence.FakeTaskContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.assertj.core.api.AbstractThrowableAssert;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a file that cannot be used fails only the reports that use it. */
class InvalidDefinitionsTest {

  private static final DataWindow WEEK =
      new DataWindow(Instant.parse("2026-11-16T00:00:00Z"), Instant.parse("2026-11-23T00:00:00Z"));

  @TempDir private Path folder;
  private final JdbcDataSource database = new JdbcDataSource();

  @BeforeEach
  void goodDefinitions() throws IOException {
    database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    file("good.json", "[" + kpi("fine", "here") + "," + report("good", "fine") + "]");
  }

  private void file(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }

  private static String kpi(String id, String source) {
    return """
    {"id": "%s", "name": "N", "datasource": "%s", "query": "q", "resultField": "n"}\
    """
        .formatted(id, source);
  }

  private static String report(String name, String kpi) {
    return """
    {"name": "%s", "title": "T", "kpis": ["%s"]}\
    """
        .formatted(name, kpi);
  }

  private ReportComponentBuilder builder() {
    return ReportComponent.on(database)
        .source("here", sourceQuery -> new ResultTable(List.of("n"), List.of(List.of(1))))
        .folder(folder, Map.of());
  }

  private void run(String report) throws Exception {
    FakeTaskContext task = new FakeTaskContext(1795231348784L, WEEK, Map.of("report", report));
    ReportComponent component = builder().build();
    component.tasks().get(ReportComponent.KPI).execute(task);
    component.tasks().get(ReportComponent.PDF).execute(task);
  }

  private AbstractThrowableAssert<?, ?> fault(String report) {
    assertThatCode(() -> run("good")).doesNotThrowAnyException();
    return assertThatThrownBy(() -> run(report));
  }

  @Test
  void aFileThatIsNoJsonFailsWhatMayBeDefinedInIt() throws IOException {
    file("bad.json", "{\"id\": ");
    file("needs.json", report("needs", "lost"));
    String bad = folder.resolve("bad.json") + ": Invalid JSON: ";
    fault("needs")
        .isInstanceOf(ReportDefinitionException.class)
        .hasMessageContaining("The report 'needs' names the KPI 'lost', which is not defined")
        .hasMessageContaining(bad);
    fault("elsewhere")
        .hasMessageContaining("There is no report 'elsewhere'")
        .hasMessageContaining(bad);
    assertThat(builder().build().problems()).hasSize(2).first().asString().startsWith(bad);
    assertThat(builder().build().titles()).containsOnlyKeys("good", "needs");
  }

  @Test
  void anUnusableKpiFailsTheReportsThatUseIt() throws IOException {
    file(
        "kpis.json",
        "[" + kpi("bad", "here").replace("name", "nam") + "," + kpi("also", "here") + "]");
    file("reports.json", "[" + report("uses", "bad") + "," + report("other", "also") + "]");
    fault("uses")
        .isInstanceOf(ReportDefinitionException.class)
        .hasMessageStartingWith("The report 'uses' uses the KPI 'bad', which cannot be used. ")
        .hasMessageContaining(folder.resolve("kpis.json") + ": The KPI 'bad': the field 'name'");
    assertThatCode(() -> run("other")).doesNotThrowAnyException();
    assertThat(builder().build().problems()).singleElement().asString().contains("kpis.json");
  }

  @Test
  void anUnusableReportFailsAlone() throws IOException {
    file("reports.json", "[" + report("bad", "fine").replace("title", "titel") + ", 7]");
    fault("bad")
        .hasMessageStartingWith("The report 'bad' cannot be used. ")
        .hasMessageContaining("reports.json: The report 'bad': the field 'title' is missing");
    assertThat(builder().build().problems()).hasSize(2);
  }

  @Test
  void whatIsDefinedTwiceFailsTheReportsThatUseIt() throws IOException {
    file("a.json", "[" + kpi("twice", "here") + "," + report("uses", "twice") + "]");
    file("b.json", kpi("twice", "here"));
    file("c.json", report("same", "fine"));
    file("d.json", report("same", "fine"));
    fault("uses")
        .hasMessageContaining("b.json: there is a KPI 'twice' already, in ")
        .hasMessageContaining("a.json");
    fault("same").hasMessageContaining("d.json: there is a report 'same' already, in ");
  }

  @Test
  void anUnusableSourceFailsTheKpisThatAskIt() throws IOException {
    file(
        "sources.json",
        "{\"bad\": {\"type\": \"ftp\"}, \"fit\": {\"type\": \"jdbc\","
            + " \"url\": \"jdbc:h2:mem:fit\"}}");
    file("uses.json", "[" + kpi("k", "bad") + "," + report("uses", "k") + "]");
    String query = "select 1 as n";
    file(
        "fit.json",
        "["
            + kpi("f", "fit").replace("\"q\"", "\"" + query + "\"")
            + ","
            + report("fit", "f")
            + "]");
    fault("uses")
        .isInstanceOf(ChunksFailedException.class)
        .hasMessageContaining(
            folder.resolve("sources.json") + ": The source 'bad': the field 'type'");
    assertThatCode(() -> run("fit")).doesNotThrowAnyException();
    file("sources.json", "{");
    fault("uses")
        .hasMessageContaining("There is no data source 'bad'")
        .hasMessageContaining(folder.resolve("sources.json") + ": Invalid JSON");
  }

  @Test
  void anUnusablePlaceOfResultsIsNamedWithItsFile() throws IOException {
    file("sources.json", "{\"ES\": {\"type\": \"elasticsearch\"}}");
    ReportComponentBuilder builder =
        builder().settings(ReportSettings.of(Map.of("outputDatasource", "ES")));
    assertThatThrownBy(builder::build)
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("outputDatasource is 'ES', expected one of [DATABASE]. ")
        .hasMessageContaining("sources.json: The source 'ES': the field 'url' is missing");
  }

  @Test
  void aFileThatIsNotTextOrCannotBeReadFailsNothingElse() throws IOException {
    Files.write(folder.resolve("latin.json"), "{\"é\"}".getBytes(StandardCharsets.ISO_8859_1));
    Files.createDirectory(folder.resolve("folder.json"));
    assertThatCode(() -> run("good")).doesNotThrowAnyException();
    assertThat(builder().build().problems()).hasSize(2).allMatch(p -> p.contains("cannot be read"));
  }
}
