package io.millrace.redis.flow;

import io.millrace.instance.InvalidRequestException;
import io.millrace.redis.wire.JavaScriptJson;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Converts flows to the JSON by which processes register them, and back. It has no policies, which
 * only workers need.
 */
public final class FlowJson {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private FlowJson() {}

  /** Returns the JSON text of a flow. */
  public static String write(Flow flow) {
    ObjectNode node = JSON.createObjectNode();
    node.put("name", flow.name());
    flow.lookup().forEach(node.putArray("lookup")::add);
    node.put("timeToLiveSeconds", flow.timeToLive().toSeconds());
    ArrayNode queues = node.putArray("queues");
    flow.queues().forEach(queue -> queues.add(node(queue)));
    return JSON.writeValueAsString(node);
  }

  private static ObjectNode node(Queue queue) {
    ObjectNode node = JSON.createObjectNode();
    node.put("name", queue.name());
    // The stored JSON calls the fields attributes, as the npm package does.
    queue.fields().forEach(node.putArray("attributes")::add);
    node.put("next", queue.next());
    node.put("lockTimeSeconds", queue.lockTime().toSeconds());
    ArrayNode children = node.putArray("children");
    queue.children().forEach(child -> children.add(node(child)));
    return node;
  }

  /**
   * Returns the names of the queues without a next queue as JSON texts, separated by blanks.
   * Scripts compare the field {@code completed-queue} with them, which has a name as JavaScript
   * writes it.
   */
  public static String lastQueues(Flow flow) {
    return flow.queues().stream()
        .filter(queue -> queue.next() == null)
        .map(queue -> JavaScriptJson.standard().write(queue.name()))
        .collect(Collectors.joining(" "));
  }

  /**
   * Reads a flow from a JSON text.
   *
   * @throws InvalidRequestException if it is not a flow
   */
  public static Flow read(String text) {
    try {
      JsonNode node = JSON.readTree(text);
      return new Flow(
          node.path("name").asString(""),
          queues(node.path("queues")),
          texts(node.path("lookup")),
          Duration.ofSeconds(node.path("timeToLiveSeconds").asLong(0)));
    } catch (JacksonException e) {
      throw new InvalidRequestException(
          "The text of a registered flow is not JSON: " + e.getOriginalMessage());
    }
  }

  private static List<Queue> queues(JsonNode nodes) {
    List<Queue> queues = new ArrayList<>();
    for (JsonNode node : nodes) {
      Queue queue =
          Queue.of(node.path("name").asString(""))
              .fields(texts(node.path("attributes")).toArray(String[]::new))
              .children(queues(node.path("children")).toArray(Queue[]::new))
              .lockTime(Duration.ofSeconds(node.path("lockTimeSeconds").asLong(0)));
      String next = next(node);
      queues.add(next == null ? queue : queue.next(next));
    }
    return queues;
  }

  private static @Nullable String next(JsonNode node) {
    return node.path("next").isString() ? node.path("next").stringValue() : null;
  }

  private static List<String> texts(JsonNode nodes) {
    List<String> texts = new ArrayList<>();
    nodes.forEach(node -> texts.add(node.asString("")));
    return texts;
  }
}
