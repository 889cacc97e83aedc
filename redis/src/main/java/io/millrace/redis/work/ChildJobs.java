package io.millrace.redis.work;

import io.millrace.codec.CodecException;
import io.millrace.instance.InvalidRequestException;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.wire.JavaScriptJson;
import io.millrace.redis.wire.ProtocolKeys;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The children of a parent, as described by its field: a list of objects with the child's name
 * among their fields.
 *
 * @param children the children to create
 * @param nameless number of children without a name, which are not created
 */
record ChildJobs(List<Child> children, int nameless) {

  private static final String NAME = "childName";

  /**
   * A child to create.
   *
   * @param flow its flow, which is also its queue
   * @param fields names and JSON texts in turn
   */
  record Child(String flow, String id, List<String> fields) {

    String key() {
      return ProtocolKeys.job(flow, id);
    }
  }

  /**
   * Reads the field.
   *
   * @param params the text of the field; null when the parent has no such field
   * @throws InvalidRequestException if it is invalid, or names a child that the parent's queue does
   *     not have, which no worker would process
   */
  static ChildJobs read(
      JavaScriptJson json, QueueKeys queueKeys, @Nullable String params, Supplier<String> ids) {
    String field = ProtocolKeys.childrenParams(queueKeys.name());
    if (params == null) {
      throw new InvalidRequestException(
          "The job has no field '"
              + field
              + "'; expected a list that describes its children and may be empty.");
    }
    JsonNode list = CodecException.naming("Field '" + field + "'", () -> json.read(params));
    if (!list.isArray()) {
      throw new InvalidRequestException(
          "The field '" + field + "' is no list; expected one of objects with a " + NAME + ".");
    }
    List<Child> children = new ArrayList<>();
    for (JsonNode node : list) {
      String name = node.path(NAME).asString("");
      if (!name.isEmpty()) {
        children.add(child(json, queueKeys, name, node, ids.get()));
      }
    }
    return new ChildJobs(List.copyOf(children), list.size() - children.size());
  }

  private static Child child(
      JavaScriptJson json, QueueKeys queueKeys, String name, JsonNode node, String id) {
    requireChildQueue(queueKeys, name);
    String flow = ProtocolKeys.childQueue(queueKeys.name(), name);
    Map<String, String> fields = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      if (!field.getKey().equals(NAME)) {
        fields.put(field.getKey(), json.write(field.getValue()));
      }
    }
    if (fields.isEmpty()) {
      // A hash without fields does not exist, and its job would be dropped.
      fields.put(LeasedJob.CORRELATION, "null");
    }
    List<String> texts = new ArrayList<>();
    fields.forEach((field, text) -> {
      texts.add(field);
      texts.add(text);
    });
    return new Child(flow, id, List.copyOf(texts));
  }

  private static void requireChildQueue(QueueKeys queueKeys, String name) {
    Set<String> known = new TreeSet<>();
    for (Queue queue : queueKeys.queue().children()) {
      if (queue.name().equals(name)) {
        return;
      }
      known.add(queue.name());
    }
    throw new InvalidRequestException(
        "The job has a child '"
            + name
            + "'; expected a child queue of "
            + queueKeys.name()
            + ", which has "
            + known
            + ".");
  }

  /** Returns the value of the parent's field that names its children. */
  String keys(JavaScriptJson json) {
    return json.write(children.stream().map(Child::key).toList());
  }
}
