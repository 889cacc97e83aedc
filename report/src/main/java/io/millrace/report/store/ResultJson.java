package io.millrace.report.store;

import io.millrace.report.kpi.KpiResult;
import io.millrace.report.source.SourceException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Converts results to JSON text and back. */
final class ResultJson {

  static final JsonMapper JSON = new JsonMapper();

  private ResultJson() {}

  static String write(KpiResult result) {
    return JSON.writeValueAsString(result);
  }

  static KpiResult read(String json) {
    try {
      return JSON.readValue(json, KpiResult.class);
    } catch (JacksonException e) {
      throw new SourceException("A stored result cannot be read: " + e.getOriginalMessage(), e);
    }
  }
}
