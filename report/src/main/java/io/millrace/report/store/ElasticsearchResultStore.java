package io.millrace.report.store;

import io.millrace.report.kpi.KpiResult;
import io.millrace.report.source.Elasticsearch;
import io.millrace.report.source.SourceException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Store of results as documents of one index. Their ids consist of execution and KPI, so that a
 * repetition writes the same document. Thread-safe.
 */
public final class ElasticsearchResultStore implements ResultStore {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final int MAX_KPIS = 1000;

  private final Elasticsearch server;
  private final String index;

  /**
   * Creates a store.
   *
   * @param index the name in lower case, for example {@code millrace-report-results}
   */
  public ElasticsearchResultStore(Elasticsearch server, String index) {
    if (!index.matches("[a-z0-9][a-z0-9._-]{0,200}")) {
      throw new SourceException(
          "'" + index + "' is no name of an index; expected lower-case letters, digits and '-'.");
    }
    this.server = server;
    this.index = index;
  }

  @Override
  public void put(Key key, KpiResult result) {
    ObjectNode document = ResultJson.JSON.createObjectNode();
    document.put("executionId", key.executionId());
    document.put("kpiId", result.kpiId());
    document.put("report", key.report());
    document.put("startTime", key.window().from().toString());
    document.put("endTime", key.window().to().toString());
    document.put("value", result.value());
    document.put("result", ResultJson.write(result));
    String path = "/" + index + "/_doc/" + key.executionId() + "-" + result.kpiId();
    server.request("PUT", path + "?refresh=wait_for", document, TIMEOUT);
  }

  @Override
  public List<KpiResult> find(long executionId) {
    ObjectNode search = ResultJson.JSON.createObjectNode();
    search.put("size", MAX_KPIS);
    search.putObject("query").putObject("term").put("executionId", executionId);
    JsonNode answer = server.search(index, search, TIMEOUT);
    List<KpiResult> found = new ArrayList<>();
    for (JsonNode hit : answer.path("hits").path("hits")) {
      found.add(ResultJson.read(hit.path("_source").path("result").asString("")));
    }
    return found;
  }
}
