package io.millrace.report.source;

import io.millrace.report.source.Placeholders.Bound;
import io.millrace.report.source.Placeholders.Placeholder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A Neo4j database over its transactional HTTP interface ({@code /db/NAME/tx/commit}). In a query,
 * a placeholder becomes {@code datetime($startTime)}. Thread-safe.
 */
public final class Neo4j implements QuerySource {

  private final JsonHttpClient http;
  private final String path;

  /**
   * Creates a source for one database of a server.
   *
   * @param database its name, for example {@code neo4j}
   */
  public Neo4j(HttpEndpoint server, String database) {
    if (!database.matches("[A-Za-z][A-Za-z0-9.-]{0,62}")) {
      throw new SourceException(
          "'" + database + "' is no name of a Neo4j database; expected letters and digits.");
    }
    this.http = new JsonHttpClient("Neo4j", server);
    this.path = "/db/" + database + "/tx/commit";
  }

  @Override
  public ResultTable read(SourceQuery query) {
    Bound bound =
        Placeholders.bind(
            Placeholders.QueryLanguage.CYPHER,
            query.text(),
            p ->
                p.form() == Placeholders.Form.NATIVE
                    ? "datetime($" + p.name() + ")"
                    : "$" + p.name());
    ObjectNode parameters = JsonHttpClient.JSON.createObjectNode();
    for (Placeholder one : bound.placeholders()) {
      parameters.putPOJO(one.name(), one.value(query, Object::toString));
    }
    ResultTable table = run(bound.text(), parameters, query.timeout());
    if (table.rows().size() > query.maxRows()) {
      throw query.tooManyRows("Neo4j");
    }
    return table;
  }

  /**
   * Runs a statement in a transaction of its own.
   *
   * @throws SourceException when the server cannot be reached or refuses
   */
  public ResultTable run(String cypher, ObjectNode parameters, Duration timeout) {
    ObjectNode body = JsonHttpClient.JSON.createObjectNode();
    ObjectNode statement = body.putArray("statements").addObject();
    statement.put("statement", cypher);
    statement.set("parameters", parameters);
    JsonNode answer = http.send("POST", path, body, timeout);
    JsonNode error = answer.path("errors").path(0);
    if (!error.isMissingNode()) {
      throw new SourceException(
          "Neo4j refused a query: "
              + error.path("code").asString("no code")
              + ": "
              + Placeholders.shorten(error.path("message").asString("no message"))
              + ". The query is: "
              + Placeholders.shorten(cypher));
    }
    JsonNode result = answer.path("results").path(0);
    if (!result.path("columns").isArray() || !result.path("data").isArray()) {
      throw new SourceException(
          "Neo4j answered without 'results', expected columns and data: "
              + Placeholders.shorten(answer.toString()));
    }
    return table(result);
  }

  private static ResultTable table(JsonNode result) {
    List<String> columns = new ArrayList<>();
    result.path("columns").forEach(name -> columns.add(name.asString("")));
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (JsonNode entry : result.path("data")) {
      List<@Nullable Object> row = new ArrayList<>();
      entry.path("row").forEach(cell -> row.add(JsonCells.of(cell)));
      rows.add(row);
    }
    return new ResultTable(columns, rows);
  }
}
