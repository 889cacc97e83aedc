package io.millrace.redis.jobs;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import tools.jackson.databind.JsonNode;

/**
 * A job as stored in Redis.
 *
 * @param flow the flow in its key; that of a child is its queue, {@code <parentQueue>:<child>}
 * @param fields the fields that are JSON
 * @param unreadable the texts of the other fields; or, under the name of its key, why the job
 *     itself cannot be read
 * @param children the children of all its queues, in the order in which the parent names them;
 *     empty unless requested. An expired child has no fields
 */
public record JobView(
    String flow,
    String id,
    SortedMap<String, JsonNode> fields,
    Map<String, String> unreadable,
    List<JobView> children) {

  /** Returns a field; empty when the job has no such field, or it is not JSON. */
  public Optional<JsonNode> field(String name) {
    return Optional.ofNullable(fields.get(name));
  }

  /** Returns true if it has failed for good; the field {@code failedErrorMsg} says why. */
  public boolean hasFailed() {
    return isTrue("failed");
  }

  /**
   * Returns true if a field is true, as boolean or as text, which the npm package's FlowMonitor
   * writes.
   */
  public boolean isTrue(String name) {
    JsonNode value = fields.get(name);
    return value != null
        && (value.isBoolean() ? value.booleanValue() : "true".equals(value.asString("")));
  }
}
