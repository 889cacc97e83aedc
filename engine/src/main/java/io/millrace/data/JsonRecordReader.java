package io.millrace.data;

import io.millrace.data.RecordDocument.ParsedRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Extracts the key of a JSON record and the parts that are compared. */
final class JsonRecordReader {

  private final ReduceOptions options;
  private final @Nullable JsonPointer key;
  private final List<JsonPointer> ignored;
  private final List<JsonPointer> only;

  JsonRecordReader(ReduceOptions options) {
    this.options = options;
    String keyPath = options.key();
    this.key = keyPath == null ? null : JsonRecordDocument.pointer(keyPath);
    this.ignored = options.ignored().stream().map(JsonRecordDocument::pointer).toList();
    this.only = options.only().stream().map(JsonRecordDocument::pointer).toList();
  }

  ParsedRecord read(JsonNode node) {
    JsonNode counted = counted(node);
    String content = options.canonical() ? CanonicalJson.write(counted) : counted.toString();
    ReduceToken token = token(node);
    if (key == null) {
      return new ParsedRecord(null, content, token, null);
    }
    JsonNode value = node.at(key);
    return value.isValueNode() && !value.isNull()
        ? ParsedRecord.keyed(text(value), content, token)
        : new ParsedRecord(
            null,
            content,
            token,
            "has no key at '" + options.key() + "'; expected a text, number or boolean there");
  }

  private static String text(JsonNode value) {
    return value.isString() ? value.stringValue() : CanonicalJson.write(value);
  }

  private static @Nullable ReduceToken token(JsonNode node) {
    JsonNode keyToken = node.path(RecordDocument.KEY_TOKEN);
    JsonNode valueToken = node.path(RecordDocument.VALUE_TOKEN);
    return keyToken.isString() && valueToken.isString()
        ? ReduceToken.parse(keyToken.stringValue(), valueToken.stringValue())
        : null;
  }

  private JsonNode counted(JsonNode node) {
    if (!only.isEmpty()) {
      ObjectNode some = JsonNodeFactory.instance.objectNode();
      for (int i = 0; i < only.size(); i++) {
        JsonNode part = node.at(only.get(i));
        if (!part.isMissingNode()) {
          some.set(options.only().get(i), part);
        }
      }
      return some;
    }
    if (ignored.isEmpty() && !node.has(RecordDocument.KEY_TOKEN)) {
      return node;
    }
    JsonNode copy = node.deepCopy();
    for (JsonPointer pointer : ignored) {
      if (copy.at(pointer.head()) instanceof ObjectNode parent) {
        parent.remove(pointer.last().getMatchingProperty());
      }
    }
    if (copy instanceof ObjectNode object) {
      object.remove(RecordDocument.KEY_TOKEN);
      object.remove(RecordDocument.VALUE_TOKEN);
    }
    return copy;
  }
}
