package io.millrace.redis.work;

import io.millrace.codec.CodecException;
import io.millrace.instance.InvalidRequestException;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.wire.JavaScriptJson;
import io.millrace.redis.wire.RedisDialect;
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
 * @param made the children to create
 * @param nameless number of children without a name, which are not created
 */
record ChildJobs(List<Child> made, int nameless) {

  private static final String NAME = "childName";
  private static final String PRIORITY = "priority";

  /**
   * A child to create.
   *
   * @param flow its flow, which is also its queue
   * @param level the priority level; 1 where levels have no lists of their own
   * @param fields names and JSON texts in turn
   */
  record Child(String flow, String id, int level, List<String> fields) {

    String key(RedisDialect dialect) {
      return dialect.job(flow, id);
    }
  }

  /**
   * Reads the field.
   *
   * @param inherited the values that children inherit from their parent
   * @param params the text of the field; null when the parent has no such field
   * @throws InvalidRequestException if it is invalid, or names a child that the parent's queue does
   *     not have, which no worker would process
   */
  static ChildJobs read(
      JavaScriptJson json,
      QueueKeys queueKeys,
      @Nullable String params,
      Inherited inherited,
      Supplier<String> ids) {
    String field = RedisDialect.childrenParams(queueKeys.name());
    if (params == null) {
      throw new InvalidRequestException(
          "The job has no field '"
              + field
              + "', which tells what its children are made of: give it a list, which may be empty");
    }
    JsonNode list = CodecException.naming("Field '" + field + "'", () -> json.read(params));
    if (!list.isArray()) {
      throw new InvalidRequestException(
          "The field '" + field + "' is no list, but must be one of objects with a " + NAME);
    }
    List<Child> made = new ArrayList<>();
    for (JsonNode node : list) {
      String name = node.path(NAME).asString("");
      if (!name.isEmpty()) {
        made.add(child(json, queueKeys, name, node, inherited, ids.get()));
      }
    }
    return new ChildJobs(List.copyOf(made), list.size() - made.size());
  }

  /**
   * Values that a child inherits from its parent in the main dialect.
   *
   * @param level priority level of the parent
   * @param correlation JSON text
   */
  record Inherited(int level, String correlation) {}

  private static Child child(
      JavaScriptJson json,
      QueueKeys queueKeys,
      String name,
      JsonNode node,
      Inherited inherited,
      String id) {
    Queue queue = queue(queueKeys, name);
    String flow = RedisDialect.childQueue(queueKeys.name(), name);
    Map<String, String> fields = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      if (!field.getKey().equals(NAME)) {
        fields.put(field.getKey(), json.write(field.getValue()));
      }
    }
    int level = 1;
    if (queueKeys.dialect() == RedisDialect.MAIN) {
      level = level(flow, queue, node.path(PRIORITY), inherited.level());
      // The order is that of Node.js, which sets these three in the object of the parameters.
      fields.put(PRIORITY, Integer.toString(level));
      fields.put("flowName", json.write(flow));
      fields.put(LeasedJob.CORRELATION, inherited.correlation());
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
    return new Child(flow, id, level, List.copyOf(texts));
  }

  private static Queue queue(QueueKeys queueKeys, String name) {
    Set<String> known = new TreeSet<>();
    for (Queue queue : queueKeys.queue().children()) {
      if (queue.name().equals(name)) {
        return queue;
      }
      known.add(queue.name());
    }
    throw new InvalidRequestException(
        "The job wants a child '"
            + name
            + "', but queue "
            + queueKeys.name()
            + " has no such; it has "
            + known);
  }

  /** Returns the child's own level, as in Node.js; without one, that of the parent. */
  private static int level(String flow, Queue queue, JsonNode own, int parents) {
    boolean isZero = own.isInt() && own.intValue() == 0;
    boolean isOwn = !(own.isMissingNode() || own.isNull() || isZero);
    int most = queue.policy().priorityLevels();
    int level = isOwn && own.isInt() ? own.intValue() : parents;
    if ((isOwn && !own.isInt()) || level < 1 || level > most) {
      throw new InvalidRequestException(
          "The priority of a child in queue "
              + flow
              + " is "
              + (isOwn ? own : level + ", inherited from its parent")
              + ", but must be a whole number from 1 to "
              + most
              + ". Give the queue more levels by QueuePolicy.priorityLevels, or the child another"
              + " priority");
    }
    return level;
  }

  /** Returns the value of the parent's field that names its children. */
  String keys(JavaScriptJson json, RedisDialect dialect) {
    return json.write(made.stream().map(child -> child.key(dialect)).toList());
  }
}
