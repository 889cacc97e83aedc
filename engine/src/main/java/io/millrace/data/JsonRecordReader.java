package io.millrace.data;

import io.millrace.codec.PlainJson;
import io.millrace.data.RecordDocument.ParsedRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Extracts the key of a JSON record and the parts that are compared. */
final class JsonRecordReader {

  private final ReduceOptions options;
  private final @Nullable JsonPath key;
  private final List<JsonPath> ignored;
  private final List<JsonPath> only;

  JsonRecordReader(ReduceOptions options) {
    this.options = options;
    String keyPath = options.key();
    this.key = keyPath == null ? null : JsonPath.of(keyPath);
    this.ignored = options.ignored().stream().map(JsonPath::of).toList();
    this.only = options.only().stream().map(JsonPath::of).toList();
  }

  ParsedRecord read(@Nullable Object record) {
    Object counted = counted(record);
    String content =
        options.canonical()
            ? CanonicalJson.write(counted)
            : PlainJson.write(counted, JsonRecordDocument.LIMITS);
    ReduceToken token = token(record);
    if (key == null) {
      return new ParsedRecord(null, content, token, null);
    }
    return switch (key.in(record)) {
      case String text -> ParsedRecord.keyed(text, content, token);
      case Number number -> ParsedRecord.keyed(CanonicalJson.write(number), content, token);
      case Boolean truth -> ParsedRecord.keyed(truth.toString(), content, token);
      case null, default ->
          new ParsedRecord(
              null,
              content,
              token,
              "has no key at '" + options.key() + "'; expected a text, number or boolean there");
    };
  }

  private static @Nullable ReduceToken token(@Nullable Object record) {
    return record instanceof Map<?, ?> members
            && members.get(RecordDocument.KEY_TOKEN) instanceof String keyToken
            && members.get(RecordDocument.VALUE_TOKEN) instanceof String valueToken
        ? ReduceToken.parse(keyToken, valueToken)
        : null;
  }

  private @Nullable Object counted(@Nullable Object record) {
    if (!only.isEmpty()) {
      Map<String, @Nullable Object> some = new LinkedHashMap<>();
      for (int i = 0; i < only.size(); i++) {
        Object part = only.get(i).in(record);
        if (!JsonPath.MISSING.equals(part)) {
          some.put(options.only().get(i), part);
        }
      }
      return some;
    }
    boolean hasToken =
        record instanceof Map<?, ?> members && members.containsKey(RecordDocument.KEY_TOKEN);
    if (ignored.isEmpty() && !hasToken) {
      return record;
    }
    Object copy = copy(record);
    ignored.forEach(path -> path.remove(copy));
    if (copy instanceof Map<?, ?> members) {
      members.remove(RecordDocument.KEY_TOKEN);
      members.remove(RecordDocument.VALUE_TOKEN);
    }
    return copy;
  }

  private static @Nullable Object copy(@Nullable Object value) {
    if (value instanceof Map<?, ?> members) {
      Map<Object, @Nullable Object> copy = new LinkedHashMap<>();
      members.forEach((name, member) -> copy.put(name, copy(member)));
      return copy;
    }
    if (value instanceof List<?> elements) {
      List<@Nullable Object> copy = new ArrayList<>();
      elements.forEach(element -> copy.add(copy(element)));
      return copy;
    }
    return value;
  }
}
