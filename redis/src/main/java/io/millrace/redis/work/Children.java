package io.millrace.redis.work;

import io.millrace.codec.CodecException;
import io.millrace.instance.InvalidRequestException;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.wire.Dialect;
import io.millrace.redis.wire.JsText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What the children of a parent are made of, as its field tells: a list of objects with the child's
 * name among its fields.
 *
 * @param nameless how many have no name, and are not made
 */
record Children(List<Child> made, int nameless) {

  private static final String NAME = "childName";

  /**
   * One that is to be made.
   *
   * @param flow which is its queue too
   * @param fields names and JSON texts in turn
   */
  record Child(String flow, String id, List<String> fields) {

    String key(Dialect dialect) {
      return dialect.job(flow, id);
    }
  }

  /**
   * Reads the field.
   *
   * @param inherited names and JSON texts that every child has of its parent
   * @param params its text; null when the parent has no such field
   * @throws InvalidRequestException if it cannot be understood, or names a child that the parent's
   *     queue does not have, for which nobody would work
   */
  static Children read(
      JsText json,
      Lane lane,
      @Nullable String params,
      List<String> inherited,
      Supplier<String> ids) {
    String field = Dialect.childrenParams(lane.name());
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
        made.add(child(json, lane, name, node, inherited, ids.get()));
      }
    }
    return new Children(List.copyOf(made), list.size() - made.size());
  }

  private static Child child(
      JsText json, Lane lane, String name, JsonNode node, List<String> inherited, String id) {
    Set<String> known = new TreeSet<>();
    lane.queue().children().stream().map(Queue::name).forEach(known::add);
    if (!known.contains(name)) {
      throw new InvalidRequestException(
          "The job wants a child '"
              + name
              + "', but queue "
              + lane.name()
              + " has no such; it has "
              + known);
    }
    List<String> fields = new ArrayList<>();
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      if (!field.getKey().equals(NAME)) {
        fields.add(field.getKey());
        fields.add(json.write(field.getValue()));
      }
    }
    fields.addAll(inherited);
    if (fields.isEmpty()) {
      // A hash without fields does not exist, and its job would be dropped.
      fields.addAll(List.of(LeasedJob.CORRELATION, "null"));
    }
    return new Child(Dialect.childQueue(lane.name(), name), id, List.copyOf(fields));
  }

  /** The value of the parent's field that names its children. */
  String keys(JsText json, Dialect dialect) {
    return json.write(made.stream().map(child -> child.key(dialect)).toList());
  }
}
