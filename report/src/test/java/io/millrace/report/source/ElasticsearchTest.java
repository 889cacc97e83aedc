package io.millrace.report.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.report.Patience;
import io.millrace.schedule.DataWindow;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ElasticsearchTest {

  private static final DataWindow WEEK =
      new DataWindow(Instant.parse("2026-11-16T00:00:00Z"), Instant.parse("2026-11-23T00:00:00Z"));

  private final StubHttpServer server = new StubHttpServer();

  ElasticsearchTest() throws IOException {}

  @AfterEach
  void stop() {
    server.close();
  }

  private ResultTable read(String query) {
    return new Elasticsearch(HttpEndpoint.at(server.address()).apiKey("a2V5"))
        .read(new SourceQuery(query, WEEK, Patience.LIMIT, 100));
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
    ResultTable resultTable =
        read("SELECT team, COUNT(*) n FROM builds WHERE at >= {startTime} GROUP BY team");
    assertThat(resultTable.columns()).containsExactly("team", "n");
    assertThat(resultTable.rows()).containsExactly(List.of("blue", 4), Arrays.asList("red", null));
    assertThat(server.asked())
        .extracting(StubHttpServer.RecordedRequest::path)
        .containsOnly("/_sql?format=json");
    assertThat(server.asked())
        .extracting(StubHttpServer.RecordedRequest::authorization)
        .containsOnly("ApiKey a2V5");
    assertThat(server.asked().getFirst().body().toString())
        .contains("at >= ? GROUP BY")
        .contains("\"time_zone\":\"UTC\"")
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
    ResultTable resultTable =
        read(
            """
            {"index": "builds-*", "size": 0,
             "query": {"range": {"at": {"gte": "{startTime}", "lt": "{endTime:millis}"}}},
             "aggs": {"days": {"date_histogram": {"field": "at", "calendar_interval": "day"},
               "aggs": {"time": {"avg": {"field": "minutes"}}}}}}
            """);
    assertThat(resultTable.columns()).containsExactly("key", "doc_count", "time");
    assertThat(resultTable.rows())
        .containsExactly(List.of("2026-11-16", 12, 31.5), Arrays.asList("2026-11-17", 7, null));
    StubHttpServer.RecordedRequest recordedRequest = server.asked().getFirst();
    assertThat(recordedRequest.path())
        .isEqualTo("/builds-*/_search?allow_partial_search_results=false");
    assertThat(recordedRequest.body().toString())
        .contains("{\"gte\":\"2026-11-16T00:00:00Z\",\"lt\":1795392000000}")
        .doesNotContain("index");
  }

  @Test
  void aSingleMetricOrDocumentsAreTablesToo() {
    server.answer(200, "{\"hits\":{\"hits\":[]},\"aggregations\":{\"sum\":{\"value\":42.0}}}");
    ResultTable metric = read("{\"index\":\"b\",\"aggs\":{}}");
    assertThat(metric.number(0, metric.column("value"))).isEqualTo(42);
    server.answer(
        200,
        """
        {"hits":{"hits":[{"_source":{"a":1,"b":{"c":2}}},{"_source":{"a":true,"d":"x"}}]}}
        """);
    ResultTable documents = read("{\"index\":\"b\"}");
    assertThat(documents.columns()).containsExactly("a", "b", "d");
    assertThat(documents.rows())
        .containsExactly(Arrays.asList(1, "{\"c\":2}", null), Arrays.asList(true, null, "x"));
  }

  /** The answer is that of Elasticsearch 8 when a node of the cluster is away. */
  @Test
  void theAnswerOfSomeShardsIsNoFigure() {
    server.answer(
        200,
        """
        {"took":4,"timed_out":false,
         "_shards":{"total":5,"successful":3,"skipped":0,"failed":2,"failures":[
          {"shard":1,"index":"builds-7","node":"n2","reason":{"type":"node_not_connected_exception",
           "reason":"[es-2][10.0.0.2:9300] Node not connected"}}]},
         "hits":{"total":{"value":19,"relation":"eq"},"hits":[]},
         "aggregations":{"sum":{"value":42.0}}}
        """);
    assertThatThrownBy(() -> read("{\"index\":\"builds-*\",\"size\":0,\"aggs\":{}}"))
        .isInstanceOf(SourceException.class)
        .hasMessageContaining("a part of the answer")
        .hasMessageContaining("2 of 5 shards")
        .hasMessageContaining("builds-*")
        .hasMessageContaining("Node not connected");
    server.answer(
        200,
        """
        {"timed_out":false,"_clusters":{"total":3,"successful":2,"skipped":1},
         "_shards":{"total":5,"successful":5,"skipped":2,"failed":0},"hits":{"hits":[]},
         "aggregations":{"sum":{"value":42.0}}}
        """);
    assertThatThrownBy(() -> read("{\"index\":\"b\",\"size\":0,\"aggs\":{}}"))
        .hasMessageContaining("1 of 3 clusters");
    server.answer(
        200,
        """
        {"timed_out":false,"_shards":{"total":5,"successful":5,"skipped":2,"failed":0},
         "hits":{"hits":[]},"aggregations":{"sum":{"value":42.0}}}
        """);
    assertThat(read("{\"index\":\"b\",\"size\":0,\"aggs\":{}}").number(0, 2)).isEqualTo(42);
  }

  @Test
  void tenDocumentsOfManyAreNoFigureUnlessTheQuerySaysSo() {
    String hits = "{\"_source\":{\"a\":1}},".repeat(9) + "{\"_source\":{\"a\":1}}";
    String answer =
        "{\"hits\":{\"total\":{\"value\":%s,\"relation\":\"%s\"},\"hits\":[" + hits + "]}}";
    server.answer(200, answer.formatted(4711, "eq"));
    assertThatThrownBy(() -> read("{\"index\":\"builds\"}"))
        .isInstanceOf(SourceException.class)
        .hasMessageContaining("10 of 4711 documents")
        .hasMessageContaining("a size, or aggregate")
        .hasMessageContaining("builds");
    server.answer(200, answer.formatted(10_000, "gte"));
    assertThatThrownBy(() -> read("{\"index\":\"b\"}"))
        .hasMessageContaining("10 of more than 10000 documents");
    server.answer(200, answer.formatted(10, "eq"));
    assertThat(read("{\"index\":\"b\"}").rows()).hasSize(10);
    server.answer(200, answer.formatted(4711, "eq"));
    assertThat(read("{\"index\":\"b\",\"size\":10,\"sort\":[{\"a\":\"desc\"}]}").rows())
        .as("the first ten, as asked")
        .hasSize(10);
  }

  @Test
  void faultsSayWhatToDo() {
    assertThatThrownBy(() -> read("{\"query\":{}}")).hasMessageContaining("'index'");
    assertThatThrownBy(() -> read("{\"index\":\"../_all\"}")).hasMessageContaining("'index'");
    assertThatThrownBy(() -> read("{index")).hasMessageContaining("must be JSON");
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
