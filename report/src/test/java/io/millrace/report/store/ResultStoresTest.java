package io.millrace.report.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.report.kpi.Finding;
import io.millrace.report.kpi.Inference;
import io.millrace.report.kpi.KpiResult;
import io.millrace.report.kpi.Sentiment;
import io.millrace.report.kpi.SeriesPoint;
import io.millrace.report.source.Elasticsearch;
import io.millrace.report.source.HttpEndpoint;
import io.millrace.report.source.Neo4j;
import io.millrace.report.source.ResultTable;
import io.millrace.report.source.SourceException;
import io.millrace.report.source.StubHttpServer;
import io.millrace.schedule.DataWindow;
import io.millrace.store.StoreException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class ResultStoresTest {

  private static final DataWindow WEEK =
      new DataWindow(Instant.parse("2026-11-16T00:00:00Z"), Instant.parse("2026-11-23T00:00:00Z"));
  private static final ResultStore.Key KEY = new ResultStore.Key(1795231348784L, "weekly", WEEK);

  private final JdbcDataSource database = new JdbcDataSource();

  @BeforeEach
  void database() {
    database.setURL("jdbc:h2:mem:stores-" + System.nanoTime() + ";DB_CLOSE_DELAY=-1");
  }

  private static KpiResult result(String kpi, Double value) {
    return new KpiResult(
        kpi,
        value,
        null,
        List.of(new SeriesPoint("2026-11-16", 1.5)),
        new ResultTable(
            List.of("day", "n", "ok"), List.of(Arrays.asList("2026-11-16 “Ω”", 3L, null))),
        List.of(new Inference("TREND", Finding.RISING, Sentiment.POSITIVE, "Rising.")));
  }

  private static void readsBackAs(KpiResult found, KpiResult kept) {
    assertThat(found).usingRecursiveComparison().ignoringFields("table").isEqualTo(kept);
    assertThat(found.table().columns()).isEqualTo(kept.table().columns());
    assertThat(found.table().rows().toString()).isEqualTo(kept.table().rows().toString());
  }

  @Test
  void aResultIsReplacedAndNeverDoubled() {
    JdbcResultStore store = new JdbcResultStore(database);
    store.prepare();
    store.prepare();
    store.put(KEY, result("a", 1.0));
    store.put(KEY, result("b", null));
    store.put(KEY, result("a", 2.0));
    store.put(new ResultStore.Key(7, "weekly", WEEK), result("a", 9.0));
    List<KpiResult> found = store.find(KEY.executionId());
    assertThat(found).hasSize(2);
    readsBackAs(found.getFirst(), result("a", 2.0));
    readsBackAs(found.getLast(), result("b", null));
    assertThat(store.find(8)).isEmpty();
  }

  @Test
  void aReportIsReplacedAndReadBack() {
    ReportStore store = new ReportStore(database);
    store.prepare();
    store.prepare();
    Instant time = Instant.parse("2026-11-23T06:00:00Z");
    byte[] large = new byte[3_000_000];
    Arrays.fill(large, (byte) 7);
    store.put(new StoredReport(1, "mill", "weekly", "Week", "w-1.pdf", time, new byte[] {1}));
    store.put(new StoredReport(1, "mill", "weekly", "Week", "w-2.pdf", time, large));
    store.put(
        new StoredReport(
            2, "mill", "weekly", "Week", "w-3.pdf", time.plusSeconds(1), new byte[] {3}));
    assertThat(store.find(1).orElseThrow().content()).isEqualTo(large);
    assertThat(store.find(1).orElseThrow().fileName()).isEqualTo("w-2.pdf");
    assertThat(store.find(1).orElseThrow().createdAt()).isEqualTo(time);
    assertThat(store.newest("weekly").orElseThrow().executionId()).isEqualTo(2);
    assertThat(store.newest("monthly")).isEmpty();
    assertThat(store.find(3)).isEmpty();
  }

  @Test
  void theNewestReportOfEachSequenceIsListedWithoutItsContent() {
    ReportSchema.create(database);
    ReportStore store = new ReportStore(database);
    assertThat(store.newestOfEach()).isEmpty();
    Instant time = Instant.parse("2026-11-23T06:00:00Z");
    store.put(new StoredReport(1, "mill", "weekly", "Week", "w-1.pdf", time, new byte[11]));
    store.put(new StoredReport(3, "mill", "weekly", "Week", "w-3.pdf", time, new byte[33]));
    store.put(new StoredReport(2, "barn", "weekly", "Week", "w-2.pdf", time, new byte[22]));
    assertThat(store.newestOfEach())
        .containsExactly(
            new ReportFile(2, "barn", "weekly", "Week", "w-2.pdf", time, 22),
            new ReportFile(3, "mill", "weekly", "Week", "w-3.pdf", time, 33));
  }

  @Test
  void theTablesAreAComponentOfTheSchemaAndMissingOnesAreNamed() throws SQLException {
    assertThatThrownBy(() -> ReportSchema.validate(database))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("The tables of reports are missing. Due are V1__report.sql")
        .hasMessageContaining("database.schema = create")
        .hasMessageContaining("'millrace schema print --db h2' or ReportSchema.print(\"h2\")");
    execute(ReportSchema.print("h2"));
    ReportSchema.validate(database);
    ReportSchema.create(database);
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("select component, version, description from millrace_schema")) {
      assertThat(rows.next()).isTrue();
      assertThat(List.of(rows.getString(1), rows.getInt(2), rows.getString(3)))
          .containsExactly("report", 1, "report");
      assertThat(rows.next()).isFalse();
    }
  }

  @Test
  void aTableThatIsGoneIsNamed() throws SQLException {
    ReportSchema.create(database);
    execute("drop table millrace_report_pdf");
    assertThatThrownBy(() -> ReportSchema.validate(database))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("The tables of reports are not as the migrations")
        .hasMessageContaining("MILLRACE_REPORT_PDF")
        .hasMessageContaining("delete the rows of component 'report' from millrace_schema");
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void aTableThatMayNotBeReadIsNotCalledMissing() throws SQLException {
    ReportSchema.create(database);
    execute("create user guest password 'guest'");
    JdbcDataSource guest = new JdbcDataSource();
    guest.setURL(database.getURL().replace(";DB_CLOSE_DELAY=-1", ""));
    guest.setUser("guest");
    guest.setPassword("guest");
    assertThatThrownBy(() -> ReportSchema.validate(guest))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("lacks a right on the tables of reports")
        .hasMessageContaining("Grant SELECT, INSERT, UPDATE and DELETE");
  }

  @Test
  void neo4jMergesOneNodeForEachExecutionAndKpi() throws Exception {
    try (StubHttpServer server = new StubHttpServer()) {
      Neo4jResultStore store =
          new Neo4jResultStore(new Neo4j(HttpEndpoint.at(server.address()), "neo4j"));
      String done = "{\"results\":[{\"columns\":[],\"data\":[]}],\"errors\":[]}";
      server.answer(200, done);
      store.put(KEY, result("a", 2.0));
      var statement = server.asked().getFirst().body().path("statements").path(0);
      assertThat(statement.path("statement").asString())
          .startsWith("MERGE (r:KPI:RESULTS {executionId: $executionId, kpiId: $kpiId})");
      assertThat(statement.path("parameters").path("executionId").longValue())
          .isEqualTo(KEY.executionId());

      String kept = statement.path("parameters").path("result").asString();
      server.answer(
          200,
          "{\"results\":[{\"columns\":[\"result\"],\"data\":[{\"row\":[%s]}]}],\"errors\":[]}"
              .formatted(new JsonMapper().writeValueAsString(kept)));
      readsBackAs(store.find(KEY.executionId()).getFirst(), result("a", 2.0));
    }
  }

  @Test
  void elasticsearchWritesTheSameDocumentAgain() throws Exception {
    try (StubHttpServer server = new StubHttpServer()) {
      ElasticsearchResultStore store =
          new ElasticsearchResultStore(
              new Elasticsearch(HttpEndpoint.at(server.address())), "millrace-results");
      server.answer(201, "{\"result\":\"created\"}").answer(200, "{\"result\":\"updated\"}");
      store.put(KEY, result("a", 1.0));
      store.put(KEY, result("a", 2.0));
      assertThat(server.asked())
          .extracting(a -> a.method() + " " + a.path())
          .containsOnly("PUT /millrace-results/_doc/1795231348784-a?refresh=wait_for");

      String kept = server.asked().getLast().body().toString();
      server.answer(200, "{\"hits\":{\"hits\":[{\"_source\":" + kept + "}]}}");
      readsBackAs(store.find(KEY.executionId()).getFirst(), result("a", 2.0));
      assertThat(server.asked().getLast().body().path("query").toString())
          .isEqualTo("{\"term\":{\"executionId\":1795231348784}}");
      assertThat(server.asked().getLast().path())
          .isEqualTo("/millrace-results/_search?allow_partial_search_results=false");
      assertThatThrownBy(() ->
              new ElasticsearchResultStore(
                  new Elasticsearch(HttpEndpoint.at(server.address())), "Upper/case"))
          .hasMessageContaining("'Upper/case' is no name of an index");
    }
  }

  @Test
  void aPartOfTheResultsIsNotTakenForAll() throws Exception {
    try (StubHttpServer server = new StubHttpServer()) {
      ElasticsearchResultStore store =
          new ElasticsearchResultStore(
              new Elasticsearch(HttpEndpoint.at(server.address())), "millrace-results");
      server.answer(
          200, "{\"_shards\":{\"total\":2,\"successful\":1,\"failed\":1},\"hits\":{\"hits\":[]}}");
      assertThatThrownBy(() -> store.find(7))
          .isInstanceOf(SourceException.class)
          .hasMessageContaining("1 of 2 shards");
      server.answer(200, "{\"timed_out\":true,\"hits\":{\"hits\":[]}}");
      assertThatThrownBy(() -> store.find(7)).hasMessageContaining("ran out of time");
      server.answer(200, "{\"error\":\"a proxy\"}");
      assertThatThrownBy(() -> store.find(7)).hasMessageContaining("without 'hits'");
    }
  }
}
