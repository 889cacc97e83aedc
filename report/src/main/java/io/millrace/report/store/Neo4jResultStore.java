package io.millrace.report.store;

import io.millrace.report.kpi.KpiResult;
import io.millrace.report.source.Neo4j;
import io.millrace.report.source.ResultTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Store of results as nodes {@code :KPI:RESULTS}. Thread-safe. */
public final class Neo4jResultStore implements ResultStore {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private static final String MERGE =
      """
      MERGE (r:KPI:RESULTS {executionId: $executionId, kpiId: $kpiId})
      SET r.report = $report, r.startTime = $startTime, r.endTime = $endTime,
        r.value = $value, r.result = $result\
      """;

  private static final String MATCH =
      """
      MATCH (r:KPI:RESULTS {executionId: $executionId})
      RETURN r.result AS result ORDER BY r.kpiId\
      """;

  private final Neo4j database;

  public Neo4jResultStore(Neo4j database) {
    this.database = database;
  }

  @Override
  public void put(Key key, KpiResult result) {
    ObjectNode values = ResultJson.JSON.createObjectNode();
    values.put("executionId", key.executionId());
    values.put("kpiId", result.kpiId());
    values.put("report", key.report());
    values.put("startTime", key.window().from().toEpochMilli());
    values.put("endTime", key.window().to().toEpochMilli());
    values.put("value", result.value());
    values.put("result", ResultJson.write(result));
    database.run(MERGE, values, TIMEOUT);
  }

  @Override
  public List<KpiResult> find(long executionId) {
    ObjectNode values = ResultJson.JSON.createObjectNode();
    values.put("executionId", executionId);
    ResultTable table = database.run(MATCH, values, TIMEOUT);
    List<KpiResult> found = new ArrayList<>();
    for (int row = 0; row < table.rows().size(); row++) {
      found.add(ResultJson.read(table.text(row, 0)));
    }
    return found;
  }
}
