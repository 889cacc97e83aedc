package io.millrace.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.report.ReportDefinition.MailDefinition;
import io.millrace.report.kpi.KpiDefinition;
import io.millrace.report.mail.Mail.Recipients;
import io.millrace.report.source.Elasticsearch;
import io.millrace.report.source.GitSource;
import io.millrace.report.source.JdbcSource;
import io.millrace.report.source.Neo4j;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportFolderTest {

  // docs:report
  private static final String REPORT =
      """
      {
        "name": "builds-weekly",
        "title": "Builds, week by week",
        "kpis": ["failed-builds"],
        "template": "default",
        "mail": {
          "to": ["team@example.org"], "cc": ["Ada <ada@example.org>"],
          "subject": "{ReportDisplayName}, {Schedule}"
        }
      }
      """;

  // docs:end

  private static final String KPI =
      """
      {"id": "failed-builds", "name": "Failed builds", "datasource": "builds", "query": "select 1 as n",
       "resultField": "n"}
      """;

  // docs:sources
  private static final String SOURCES =
      """
      {
        "builds": {"type": "jdbc", "url": "jdbc:h2:mem:builds", "user": "ada", "password": "${BUILDS_PASSWORD}"},
        "code":   {"type": "git", "repositories": {"mill": "/srv/mill.git", "barn": "../barn"}},
        "NEO4J":  {"type": "neo4j", "url": "http://localhost:7474", "user": "neo4j", "password": "${NEO4J_PASSWORD}"},
        "ES":     {"type": "elasticsearch", "url": "https://localhost:9200", "apiKey": "${ES_KEY}", "index": "kpi-results"}
      }
      """;

  // docs:end

  private static final Map<String, String> VARIABLES =
      Map.of("BUILDS_PASSWORD", "a$1", "NEO4J_PASSWORD", "b", "ES_KEY", "c");

  @TempDir private Path folder;

  private void file(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }

  private ReportComponentBuilder read() {
    return ReportComponent.on(new JdbcDataSource()).folder(folder, VARIABLES);
  }

  private String fault(String file, String text) throws IOException {
    file(file, text);
    List<String> problems = read().build().problems();
    Files.delete(folder.resolve(file));
    assertThat(problems).hasSize(1);
    String start = folder.resolve(file) + ": ";
    assertThat(problems.getFirst()).startsWith(start).endsWith(".");
    return problems.getFirst().substring(start.length()).replaceFirst("[.]$", "");
  }

  @Test
  void aFolderThatIsNotThereIsEmpty() {
    ReportComponentBuilder builder =
        ReportComponent.on(new JdbcDataSource()).folder(folder.resolve("none"), Map.of());
    assertThat(builder.reports).isEmpty();
  }

  @Test
  void kpisReportsAndSourcesAreReadFromAllFiles() throws IOException {
    file("a.json", "[" + KPI + "," + REPORT + "]");
    file("sources.json", SOURCES);
    file("notes.txt", "no JSON");
    ReportComponentBuilder found = read();
    assertThat(found.kpis).extracting(KpiDefinition::id).containsExactly("failed-builds");
    assertThat(found.reports)
        .containsExactly(
            ReportDefinition.of("builds-weekly", "Builds, week by week", "failed-builds")
                .mail(
                    new MailDefinition(
                        new Recipients(
                            List.of("team@example.org"),
                            List.of("Ada <ada@example.org>"),
                            List.of()),
                        "{ReportDisplayName}, {Schedule}",
                        MailDefinition.to(Recipients.to("a@b.c")).text())));
    assertThat(found.sources.get("builds")).isInstanceOf(JdbcSource.class);
    assertThat(found.sources.get("code")).isInstanceOf(GitSource.class);
    assertThat(found.sources.get("NEO4J")).isInstanceOf(Neo4j.class);
    assertThat(found.sources.get("ES")).isInstanceOf(Elasticsearch.class);
    assertThat(found.stores.keySet()).containsExactly("NEO4J", "ES");
    assertThat(found.build().titles()).containsEntry("builds-weekly", "Builds, week by week");
  }

  @Test
  void whatCannotBeUsedIsNamedWithItsFile() throws IOException {
    assertThat(fault("a.json", "{")).startsWith("Invalid JSON: ");
    assertThat(fault("a.json", REPORT.replace("title", "titel")))
        .isEqualTo("The report 'builds-weekly': the field 'title' is missing, expected text");
    assertThat(fault("a.json", REPORT.replace("subject", "subjekt")))
        .startsWith("The mail of report 'builds-weekly' has the unknown fields [subjekt]");
    assertThat(fault("a.json", REPORT.replace("team@example.org", "team")))
        .startsWith("The report 'builds-weekly': ")
        .contains("'team'");
    assertThat(fault("a.json", "{\"name\": \"x\", \"title\": \"x\", \"kpis\": \"all\"}"))
        .contains("the field 'kpis' is \"all\", expected a list");
    assertThat(fault("a.json", "7")).contains("must be a JSON object");
  }

  @Test
  void aSourceThatCannotBeUsedIsNamedAndItsSecretsAreNot() throws IOException {
    assertThat(fault("sources.json", SOURCES.replace("ES_KEY", "MISSING")))
        .isEqualTo("The source 'ES': the variable MISSING is not set in the environment. Set it");
    assertThat(fault("sources.json", "{\"a\": {\"type\": \"ftp\"}}"))
        .contains("the field 'type' is \"ftp\", expected one of [jdbc, git, neo4j, elasticsearch]");
    assertThat(fault("sources.json", "{\"a\": {\"type\": \"git\"}}"))
        .contains("the field 'repository' is missing");
    assertThat(fault("sources.json", SOURCES.replace("jdbc:h2:mem", "jdbc:none:hidden")))
        .startsWith("The source 'builds': there is no JDBC driver for 'jdbc:none...'")
        .doesNotContain("hidden");
    assertThat(fault("sources.json", SOURCES.replace("http://localhost:7474", "localhost")))
        .startsWith("The source 'NEO4J': 'localhost' is no address of a server");
    assertThat(fault("sources.json", SOURCES.replace("\"${BUILDS_PASSWORD}\"", "12345")))
        .isEqualTo("The source 'builds': the field 'password' is a number, expected text");
    assertThat(fault("sources.json", SOURCES.replace("\"${BUILDS_PASSWORD}\"", "[\"12345\"]")))
        .endsWith("the field 'password' is a list, expected text");
    assertThat(fault("sources.json", SOURCES.replace("\"${BUILDS_PASSWORD}\"", "hidden123")))
        .startsWith("Invalid JSON: ")
        .contains("line 2")
        .doesNotContain("hidden123");
    for (String address :
        List.of("http://neo:hid@den@", "neo:hid/den@server:1", "http://neo:hid den@server")) {
      assertThat(fault("sources.json", SOURCES.replace("http://localhost:7474", address)))
          .startsWith("The source 'NEO4J': '")
          .contains("***@", "is no address of a server")
          .doesNotContain("neo:", "hid");
    }
    assertThat(fault("sources.json", SOURCES.replace("apiKey", "apikey")))
        .contains("The source 'ES' has the unknown fields [apikey]");
  }
}
