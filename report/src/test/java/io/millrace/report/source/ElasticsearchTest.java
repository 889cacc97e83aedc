package io.millrace.report.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.schedule.DataWindow;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ElasticsearchTest {

  private static final DataWindow WEEK =
      new DataWindow(Instant.parse("2026-11-16T00:00:00Z"), Instant.parse("2026-11-23T00:00:00Z"));

  private final RecordedServer server = new RecordedServer();

  ElasticsearchTest() throws IOException {}

  @AfterEach
  void stop() {
    server.close();
  }

  private Table read(String query) {
    return new Elasticsearch(HttpServer.at(server.address()).apiKey("a2V5"))
        .read(new Query(query, WEEK, Duration.ofSeconds(5), 100));
  }

  @Test
  void sqlHasParametersAndPages() {
    server.answer(
        200,
        """
        {"columns":[{"name":"team","type":"keyword"},{"name":"n","type":"long"}],
         "rows":[["blue",4]],"cursor":"sDXF1ZXJ5"}
        """);
    server.answer(200, "{\"rows\":[[\"red\",null]]}");
    Table table = read("SELECT team, COUNT(*) n FROM builds WHERE at >= {startTime} GROUP BY team");
    assertThat(table.columns()).containsExactly("team", "n");
    assertThat(table.rows()).containsExactly(List.of("blue", 4), Arrays.asList("red", null));
    assertThat(server.asked())
        .extracting(RecordedServer.Asked::path)
        .containsOnly("/_sql?format=json");
    assertThat(server.asked())
        .extracting(RecordedServer.Asked::authorization)
        .containsOnly("ApiKey a2V5");
    assertThat(server.asked().getFirst().body().toString())
        .contains("at >= ? GROUP BY")
        .contains("\"params\":[\"2026-11-16T00:00:00Z\"]");
    assertThat(server.asked().getLast().body().path("cursor").asString()).isEqualTo("sDXF1ZXJ5");
  }

  @Test
  void aSearchAnswersWithItsBuckets() {
    server.answer(
        200,
        """
        {"took":3,"timed_out":false,"hits":{"total":{"value":19,"relation":"eq"},"hits":[]},
         "aggregations":{"days":{"buckets":[
          {"key_as_string":"2026-11-16","key":1794787200000,"doc_count":12,"time":{"value":31.5}},
          {"key_as_string":"2026-11-17","key":1794873600000,"doc_count":7,"time":{"value":null}}]}}}
        """);
    Table table =
        read(
            """
            {"index": "builds-*", "size": 0,
             "query": {"range": {"at": {"gte": "{startTime}", "lt": "{endTime:millis}"}}},
             "aggs": {"days": {"date_histogram": {"field": "at", "calendar_interval": "day"},
               "aggs": {"time": {"avg": {"field": "minutes"}}}}}}
            """);
    assertThat(table.columns()).containsExactly("key", "doc_count", "time");
    assertThat(table.rows())
        .containsExactly(List.of("2026-11-16", 12, 31.5), Arrays.asList("2026-11-17", 7, null));
    RecordedServer.Asked asked = server.asked().getFirst();
    assertThat(asked.path()).isEqualTo("/builds-*/_search");
    assertThat(asked.body().toString())
        .contains("{\"gte\":\"2026-11-16T00:00:00Z\",\"lt\":1795392000000}")
        .doesNotContain("index");
  }

  @Test
  void aSingleMetricOrDocumentsAreTablesToo() {
    server.answer(200, "{\"hits\":{\"hits\":[]},\"aggregations\":{\"sum\":{\"value\":42.0}}}");
    Table metric = read("{\"index\":\"b\",\"aggs\":{}}");
    assertThat(metric.number(0, metric.column("value"))).isEqualTo(42);
    server.answer(
        200,
        """
        {"hits":{"hits":[{"_source":{"a":1,"b":{"c":2}}},{"_source":{"a":true,"d":"x"}}]}}
        """);
    Table documents = read("{\"index\":\"b\"}");
    assertThat(documents.columns()).containsExactly("a", "b", "d");
    assertThat(documents.rows())
        .containsExactly(Arrays.asList(1, "{\"c\":2}", null), Arrays.asList(true, null, "x"));
  }

  @Test
  void faultsSayWhatToDo() {
    assertThatThrownBy(() -> read("{\"query\":{}}")).hasMessageContaining("'index'");
    assertThatThrownBy(() -> read("{\"index\":\"../_all\"}")).hasMessageContaining("'index'");
    assertThatThrownBy(() -> read("{index")).hasMessageContaining("no JSON");
    server.answer(401, "{\"error\":\"security_exception\"}");
    assertThatThrownBy(() -> read("{\"index\":\"b\"}"))
        .hasMessageContaining("security_exception")
        .hasMessageContaining("check user and password");
    server.answer(200, "{\"timed_out\":true,\"hits\":{\"hits\":[]}}");
    assertThatThrownBy(() -> read("{\"index\":\"b\"}"))
        .hasMessageContaining("a part of the answer");
    server.answer(200, "{}");
    assertThatThrownBy(() -> read("SELECT 1")).hasMessageContaining("without 'columns'");
  }
}
