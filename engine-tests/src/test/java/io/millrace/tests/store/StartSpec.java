package io.millrace.tests.store;

import io.millrace.instance.Due;
import io.millrace.instance.Origin;
import io.millrace.store.AttachedWrite;
import io.millrace.store.ChannelMessage;
import io.millrace.store.NewInstance;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An instance to start, with defaults for values that do not matter to a test. */
final class StartSpec {

  private final String type;
  private String group;
  private int definition;
  private int priority = 4;
  private String businessKey;
  private String externalId;
  private Long parentId;
  private String state = "begin";
  private String input;
  private final Map<String, String> variables = new LinkedHashMap<>();
  private Due due = Due.NOW;
  private final List<AttachedWrite> attached = new ArrayList<>();
  private Long heldBy;

  StartSpec(String type, String group, int definition) {
    this.type = type;
    this.group = group;
    this.definition = definition;
  }

  StartSpec group(String name) {
    this.group = name;
    return this;
  }

  StartSpec definition(int id) {
    this.definition = id;
    return this;
  }

  StartSpec priority(int value) {
    this.priority = value;
    return this;
  }

  StartSpec businessKey(String key) {
    this.businessKey = key;
    return this;
  }

  StartSpec externalId(String id) {
    this.externalId = id;
    return this;
  }

  StartSpec parent(long id) {
    this.parentId = id;
    return this;
  }

  StartSpec state(String name) {
    this.state = name;
    return this;
  }

  StartSpec input(String json) {
    this.input = json;
    return this;
  }

  StartSpec variable(String name, String json) {
    this.variables.put(name, json);
    return this;
  }

  StartSpec due(Due value) {
    this.due = value;
    return this;
  }

  StartSpec heldBy(long executorId) {
    this.heldBy = executorId;
    return this;
  }

  StartSpec handover(ChannelMessage message) {
    this.attached.add(message);
    return this;
  }

  NewInstance build() {
    Origin origin = new Origin(type, 1, group, priority, businessKey, externalId, parentId);
    NewInstance.Payload payload = new NewInstance.Payload(input, Map.copyOf(variables), List.of());
    return new NewInstance(origin, definition, state, payload, due, heldBy, attached);
  }
}
