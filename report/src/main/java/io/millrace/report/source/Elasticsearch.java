package io.millrace.report.source;

import io.millrace.report.source.Placeholders.Bound;
import io.millrace.report.source.Placeholders.Placeholder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Elasticsearch over its HTTP interface. A query is either SQL, which goes to {@code _sql}, or a
 * JSON object, which goes to {@code _search}: its field {@code index} names the index, the rest is
 * the request. There, a placeholder is a whole string value, as in {@code {"gte": "{startTime}"}}.
 * The answer is the buckets of the first aggregation, or the documents when there is none.
 * Thread-safe.
 */
public final class Elasticsearch implements QuerySource {

  private static final int PAGE = 1000;

  private final JsonHttpClient http;

  public Elasticsearch(HttpEndpoint server) {
    this.http = new JsonHttpClient("Elasticsearch", server);
  }

  @Override
  public ResultTable read(SourceQuery query) {
    ResultTable table = query.text().strip().startsWith("{") ? search(query) : sql(query);
    if (table.rows().size() > query.maxRows()) {
      throw query.tooManyRows("Elasticsearch");
    }
    return table;
  }

  /**
   * Sends any request, for purposes other than a query.
   *
   * @param path begins with a slash
   * @throws SourceException when the server cannot be reached or refuses
   */
  public JsonNode request(String method, String path, JsonNode body, Duration timeout) {
    return http.send(method, path, body, timeout);
  }

  /**
   * Searches an index, or several by a pattern.
   *
   * @return the answer, which has an array {@code hits.hits}
   * @throws SourceException when the server cannot be reached, refuses, or answers for a part of
   *     the data only
   */
  public JsonNode search(String index, JsonNode body, Duration timeout) {
    JsonNode answer =
        http.send(
            "POST", "/" + index + "/_search?allow_partial_search_results=false", body, timeout);
    JsonNode shards = answer.path("_shards");
    if (answer.path("timed_out").asBoolean(false)) {
      throw partial(index, "it ran out of time.");
    }
    if (shards.path("failed").asInt(0) > 0) {
      throw partial(
          index,
          "%s of %s shards failed: %s"
              .formatted(
                  shards.path("failed").asInt(0),
                  shards.path("total").asInt(0),
                  Placeholders.shorten(shards.path("failures").toString())));
    }
    JsonNode clusters = answer.path("_clusters");
    if (clusters.path("skipped").asInt(0) > 0) {
      throw partial(
          index,
          "%s of %s clusters did not answer."
              .formatted(clusters.path("skipped").asInt(0), clusters.path("total").asInt(0)));
    }
    array(answer.path("hits"), "hits");
    return answer;
  }

  private static SourceException partial(String index, String why) {
    return new SourceException(
        "Elasticsearch gave a part of the answer only, from " + index + "; " + why);
  }

  private ResultTable sql(SourceQuery query) {
    Bound bound = Placeholders.bind(Placeholders.QueryLanguage.SQL, query.text(), p -> "?");
    ObjectNode body = JsonHttpClient.JSON.createObjectNode();
    body.put("query", bound.text());
    body.put("fetch_size", PAGE);
    body.put("time_zone", SessionZone.id(query.zone()));
    ArrayNode parameters = body.putArray("params");
    for (Placeholder one : bound.placeholders()) {
      parameters.addPOJO(one.value(query, Object::toString));
    }
    JsonNode answer = http.send("POST", "/_sql?format=json", body, query.timeout());
    List<String> columns = new ArrayList<>();
    array(answer, "columns").forEach(c -> columns.add(c.path("name").asString("")));
    List<List<@Nullable Object>> rows = new ArrayList<>();
    addRows(answer, rows);
    while (answer.path("cursor").isString() && rows.size() <= query.maxRows()) {
      ObjectNode next = JsonHttpClient.JSON.createObjectNode();
      next.set("cursor", answer.path("cursor"));
      answer = http.send("POST", "/_sql?format=json", next, query.timeout());
      addRows(answer, rows);
    }
    return new ResultTable(columns, rows);
  }

  private static void addRows(JsonNode answer, List<List<@Nullable Object>> rows) {
    for (JsonNode entry : array(answer, "rows")) {
      List<@Nullable Object> row = new ArrayList<>();
      entry.forEach(cell -> row.add(JsonCells.of(cell)));
      rows.add(row);
    }
  }

  private ResultTable search(SourceQuery query) {
    ObjectNode body = object(query);
    JsonNode index = body.remove("index");
    if (index == null || !index.asString("").matches("[a-z0-9*][a-z0-9*,._-]{0,200}")) {
      throw new SourceException(
          "A search needs the field 'index' with the name of an index or a pattern in lower case: "
              + Placeholders.shorten(query.text()));
    }
    bind(body, query);
    JsonNode answer = search(index.asString(), body, query.timeout());
    JsonNode aggregations = answer.path("aggregations");
    if (aggregations.isObject() && !aggregations.isEmpty()) {
      return buckets(aggregations.values().iterator().next());
    }
    JsonNode hits = answer.path("hits");
    if (!body.has("size")) {
      refuseFirstOnes(hits, query);
    }
    return documents(hits.path("hits"));
  }

  /** Rejects an answer without aggregation and size, which has only the first ten documents. */
  private static void refuseFirstOnes(JsonNode hits, SourceQuery query) {
    JsonNode total = hits.path("total");
    int received = hits.path("hits").size();
    if (total.path("value").asLong(0) > received) {
      throw new SourceException(
          "A search gave %s of %s%s documents. Give it a size, or aggregate in the query: %s"
              .formatted(
                  received,
                  total.path("relation").asString("").equals("gte") ? "more than " : "",
                  total.path("value").asLong(0),
                  Placeholders.shorten(query.text())));
    }
  }

  private static ObjectNode object(SourceQuery query) {
    try {
      if (JsonHttpClient.JSON.readTree(query.text()) instanceof ObjectNode object) {
        return object;
      }
    } catch (JacksonException e) {
      throw new SourceException(
          "A search must be JSON: "
              + e.getOriginalMessage()
              + ": "
              + Placeholders.shorten(query.text()),
          e);
    }
    throw new SourceException(
        "A search must be a JSON object: " + Placeholders.shorten(query.text()));
  }

  /** Replaces the strings that are placeholders by their values. */
  private static void bind(JsonNode node, SourceQuery query) {
    if (node instanceof ObjectNode object) {
      for (String name : List.copyOf(object.propertyNames())) {
        bindOne(object.path(name), query, value -> object.set(name, value));
      }
    } else if (node instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        int place = i;
        bindOne(array.path(i), query, value -> array.set(place, value));
      }
    }
  }

  private static void bindOne(JsonNode value, SourceQuery query, Consumer<JsonNode> replace) {
    Placeholder found =
        value instanceof StringNode text ? Placeholders.whole(text.stringValue()) : null;
    if (found == null) {
      bind(value, query);
    } else {
      replace.accept(JsonHttpClient.JSON.valueToTree(found.value(query, Object::toString)));
    }
  }

  private static ResultTable buckets(JsonNode aggregation) {
    List<JsonNode> entries = new ArrayList<>();
    if (aggregation.path("buckets").isArray()) {
      aggregation.path("buckets").forEach(entries::add);
    } else {
      entries.add(aggregation);
    }
    Set<String> columns = new LinkedHashSet<>(List.of("key", "doc_count"));
    entries.forEach(e ->
        e.properties().stream()
            .filter(p -> p.getValue().path("value").isNumber())
            .map(Map.Entry::getKey)
            .forEach(columns::add));
    if (!aggregation.path("buckets").isArray()) {
      columns.add("value");
    }
    return table(columns, entries, Elasticsearch::bucketCell);
  }

  private static @Nullable Object bucketCell(JsonNode bucket, String column) {
    JsonNode value = bucket.path(column);
    if (column.equals("key") && bucket.has("key_as_string")) {
      return bucket.path("key_as_string").asString("");
    }
    return JsonCells.of(value.isObject() ? value.path("value") : value);
  }

  private static ResultTable documents(JsonNode hits) {
    Set<String> columns = new LinkedHashSet<>();
    List<JsonNode> sources = new ArrayList<>();
    for (JsonNode hit : hits) {
      sources.add(hit.path("_source"));
      columns.addAll(hit.path("_source").propertyNames());
    }
    return table(columns, sources, (source, column) -> JsonCells.of(source.path(column)));
  }

  private interface CellReader {
    @Nullable Object cell(JsonNode entry, String column);
  }

  private static ResultTable table(Set<String> columns, List<JsonNode> entries, CellReader reader) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (JsonNode entry : entries) {
      List<@Nullable Object> row = new ArrayList<>();
      columns.forEach(column -> row.add(reader.cell(entry, column)));
      rows.add(row);
    }
    return new ResultTable(List.copyOf(columns), rows);
  }

  private static JsonNode array(JsonNode answer, String name) {
    JsonNode array = answer.path(name);
    if (!array.isArray()) {
      throw new SourceException(
          "Elasticsearch answered without '"
              + name
              + "': "
              + Placeholders.shorten(answer.toString()));
    }
    return array;
  }
}
