package io.millrace.redis.jobs;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import tools.jackson.databind.JsonNode;

/**
 * A job as it stands in Redis.
 *
 * @param flow by which it is named; that of a child is its queue, {@code <parentQueue>:<child>}
 * @param fields those that are JSON
 * @param unreadable the texts of the others; or, under the name of its key, why the job itself
 *     cannot be read
 * @param children of all its queues, in the order in which the parent names them; empty unless
 *     asked for. One that has lived out its time has no fields
 */
public record JobView(
    String flow,
    String id,
    SortedMap<String, JsonNode> fields,
    Map<String, String> unreadable,
    List<JobView> children) {

  /** A field; empty when the job has no such field, or one that is no JSON. */
  public Optional<JsonNode> field(String name) {
    return Optional.ofNullable(fields.get(name));
  }

  /** Whether it has failed for good; the field {@code failedErrorMsg} says why. */
  public boolean hasFailed() {
    return isTrue("failed");
  }

  /**
   * Whether a field is true, as boolean or as text: the npm package's FlowMonitor writes the
   * latter.
   */
  public boolean isTrue(String name) {
    JsonNode value = fields.get(name);
    return value != null
        && (value.isBoolean() ? value.booleanValue() : "true".equals(value.asString("")));
  }
}
