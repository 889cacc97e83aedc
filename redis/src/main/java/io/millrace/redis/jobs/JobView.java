package io.millrace.redis.jobs;

import java.util.List;
import java.util.Map;
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
    List<JobView> children) {}
